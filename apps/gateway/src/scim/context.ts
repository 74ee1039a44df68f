import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '@lectern/service-kit';
import type { Request } from 'express';
import { type Action, type Actor, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { Prisma, ScimToken } from '#gen/prisma/client';
import { requestIdOf } from '#http/envelope';
import { publicUrl } from '#http/public-url';
import { findScimToken } from '#identity/scim-token-store';
import { clientAddress, clientNetwork, isForwardedOverTls } from '#limits/client-ip';
import { rateLimited, setRateHeaders } from '#limits/rate-headers';

/** An accepted request of an identity provider. */
export interface ScimCall {
  readonly token: ScimToken;
  /** The address of `/scim/v2`, for the locations of resources. */
  readonly baseUrl: string;
  readonly actor: Actor;
}

const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^bearer[ \t]+(\S+)[ \t]*$/i.exec(authorization ?? '')?.[1];

/** Finds the token of a request and counts the request. Throws `unauthorized` and `rate_limited`. */
export async function admitScim(ctx: Context, request: Request, response: ServerResponse): Promise<ScimCall> {
  const address = clientAddress(request, ctx.isTrustedProxy);
  const text = bearerOf(request.headers);
  const network = clientNetwork(address);
  ctx.unknownKeys.take(network, response);
  const token = text === undefined ? undefined : await findScimToken(ctx.db, text);
  if (token === undefined) {
    throw new AppError('unauthorized', 'A SCIM token is required. Send it as Authorization: Bearer <token>.');
  }
  ctx.unknownKeys.giveBack(network);
  const decision = await ctx.limiter.take(`scim:${token.id}`, ctx.config.RATE_LIMIT_SECRET_PER_MINUTE);
  setRateHeaders(response, decision);
  if (!decision.admitted) {
    const { limit, retryAfter } = decision;
    const message = `Rate limit exceeded: ${limit} requests per minute. Retry after ${retryAfter} s.`;
    throw rateLimited(response, retryAfter, message);
  }
  const isSecure =
    ctx.config.PUBLIC_URL?.startsWith('https:') === true || isForwardedOverTls(request, ctx.isTrustedProxy);
  return {
    token,
    baseUrl: `${publicUrl(ctx.config.PUBLIC_URL, request.headers.host, isSecure).url}/scim/v2`,
    actor: {
      teamId: token.teamId,
      keyId: undefined,
      origin: address,
      userAgent: request.headers['user-agent']?.slice(0, 300),
      requestId: requestIdOf(response),
    },
  };
}

/** Records a change by an identity provider in the audit log. */
export const recordScim = (
  tx: Prisma.TransactionClient,
  { token, actor }: ScimCall,
  action: Pick<Action, 'action' | 'resourceType' | 'resourceId' | 'details'>,
): Promise<void> =>
  recordAudit(tx, actor, { ...action, details: { ...action.details, provider: token.source, scimToken: token.id } });
