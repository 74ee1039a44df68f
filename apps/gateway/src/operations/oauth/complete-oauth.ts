import { invalidRequest, isId, onBehalfOf, systemCaller } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import { type Answer, data, redirect } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOpenOperation, type OpenCall } from '#http/operation';
import { isBrowser, newBrowserSecret, oauthCookie, readOAuthCookie } from '#operations/oauth/browser';
import { confirmPage } from '#operations/oauth/confirm-page';
import { callbackAddress, publicAddress } from '#operations/oauth/public-address';

const once = z.string('must be given once').max(8_192);

// Providers add parameters of their own (scope, iss, …).
const query = z.object({
  state: once,
  code: once.optional(),
  error: once.optional(),
  /** The parameters of the link on the confirmation page. */
  confirm: once.optional(),
});

/** The team that a state is of. Only the connector service can tell whether it is one of ours. */
function teamOf(state: string): string {
  const [teamId = ''] = state.split('.', 1);
  if (isId('team', teamId)) return teamId;
  throw invalidRequest([{ path: 'state', message: 'is unknown, used or expired; start the authorisation again' }]);
}

function withOutcome(redirectUri: string, connectorId: string, status: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('connectorId', connectorId);
  url.searchParams.set('status', status);
  return url.toString();
}

/**
 * True if the person continued from our confirmation page in this browser: the link matches the
 * page's cookie.
 */
function isConfirmed({ state, confirm }: z.output<typeof query>, { headers }: OpenCall): boolean {
  return confirm !== undefined && confirm === readOAuthCookie('asked', state, headers);
}

interface Unbound {
  readonly provider: string;
  readonly connectorName: string;
  readonly teamId: string;
  readonly query: { readonly state: string; readonly code?: string | undefined };
}

/**
 * Asks the person whether they started an authorisation that a server began: anyone could have sent
 * them the link.
 */
async function askFirst(
  { config, db }: Context,
  call: OpenCall,
  { provider, connectorName, teamId, query: { state, code = '' } }: Unbound,
): Promise<Answer> {
  const callbackUrl = callbackAddress(publicAddress(config.PUBLIC_URL, call.host), provider);
  const team = await db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  const confirm = newBrowserSecret();
  return confirmPage({
    provider,
    connectorName,
    teamName: team?.name ?? '',
    connectUrl: `?${new URLSearchParams({ state, code, confirm })}`,
    cancelUrl: `?${new URLSearchParams({ state, error: 'access_denied' })}`,
    cookie: oauthCookie('asked', state, confirm, callbackUrl),
  });
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
  summary:
    'The address to which a provider redirects the user. Needs no key: its state proves the request. A browser that did not start the authorisation must confirm it first',
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
    const options = onBehalfOf({ ...call, caller });
    const { confirm, ...outcome } = query;
    const browserSecret = readOAuthCookie('begun', query.state, call.headers);
    if (outcome.code !== undefined && isBrowser(call.headers) && !isConfirmed(query, call)) {
      const { isBound, connectorName } = await ctx.clients.oauth.describeAuthorization(
        { provider, state: query.state },
        options,
      );
      if (!isBound) return askFirst(ctx, call, { provider, connectorName, teamId: caller.teamId, query: outcome });
    }
    const answer = await ctx.clients.oauth.completeAuthorization({ provider, ...outcome, browserSecret }, options);
    const { connectorId, redirectUri, message } = answer;
    const status = answer.success ? 'success' : 'error';
    if (redirectUri !== undefined) return redirect(withOutcome(redirectUri, connectorId, status));
    return data({ connectorId, provider, status, ...(message === undefined ? {} : { message }) });
  },
});
