import { invalidRequest, isId, onBehalfOf, systemCaller } from '@lectern/service-kit';
import { z } from 'zod';
import { data, redirect } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOpenOperation } from '#http/operation';

const once = z.string('must be given once').max(8_192);

// Providers add parameters of their own (scope, iss, …).
const query = z.object({ state: once, code: once.optional(), error: once.optional() });

/** The team that a state is of. Only the connector service can tell whether it is one of ours. */
function teamOf(state: string): string {
  const [teamId = ''] = state.split('.', 1);
  if (isId('team', teamId)) return teamId;
  throw invalidRequest([{ path: 'state', message: 'is unknown, used or expired; begin the authorisation again' }]);
}

function withOutcome(redirectUri: string, connectorId: string, status: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('connectorId', connectorId);
  url.searchParams.set('status', status);
  return url.toString();
}

const completedSchema = z
  .object({
    connectorId: z.string(),
    provider: z.string(),
    status: z.enum(['success', 'error']),
    message: z.string().optional(),
  })
  .meta({
    id: 'CompletedAuthorization',
    examples: [{ connectorId: 'con_01h455vb4pex5vsknk084sn02q', provider: 'notion', status: 'success' }],
  });

export const completeOAuth = defineOpenOperation({
  id: 'completeOAuth',
  method: 'get',
  path: '/api/v1/oauth/callback/{provider}',
  summary: 'Where a provider sends the user back to; needs no key, its state is the proof',
  params: z.object({ provider: z.string().max(50).regex(/^\w+$/, 'must be the name of a provider') }),
  query,
  body: noBody,
  success: 200,
  answer: answers(completedSchema),
  redirects: true,
  addressLimit: 'oauthCallbacks',
  errors: ['not_found', 'conflict', 'rate_limited', 'upstream_error', 'timeout'],
  handle: async (ctx, { params: { provider }, query }, call) => {
    const caller = systemCaller(teamOf(query.state));
    const answer = await ctx.clients.oauth.completeAuthorization(
      { provider, ...query },
      onBehalfOf({ ...call, caller }),
    );
    const { connectorId, redirectUri, message } = answer;
    const status = answer.success ? 'success' : 'error';
    if (redirectUri !== undefined) return redirect(withOutcome(redirectUri, connectorId, status));
    return data({ connectorId, provider, status, ...(message === undefined ? {} : { message }) });
  },
});
