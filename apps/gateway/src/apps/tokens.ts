import { createHash, timingSafeEqual } from 'node:crypto';
import type { AppScope } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import { scopesIn } from '#apps/authorization-request';
import { isClientId } from '#apps/client-store';
import { OauthError } from '#apps/oauth-error';
import { type Actor, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import {
  ACCESS_SECONDS,
  type AppTokens,
  activateGrant,
  deleteGrant,
  findByCode,
  findByToken,
  findRefreshToken,
  type OwnedGrant,
  rotateToken,
  scopesOf,
} from '#identity/app-grant-store';
import { type AppUrls, isResource } from '#identity/app-urls';
import { isToken } from '#keys/format';

/** A request of an app, and where it came from. */
export interface TokenCall {
  readonly form: URLSearchParams;
  readonly urls: AppUrls;
  readonly origin: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
}

/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Refreshes of one app per minute, so that a loop does not fill the table. */
const REFRESHES_PER_MINUTE = 30;

/** Reads a parameter of a form that occurs once. Throws `OauthError`. */
function required(form: URLSearchParams, name: string): string {
  const value = optional(form, name);
  if (value === undefined) throw new OauthError('invalid_request', `${name} is required.`);
  return value;
}

function optional(form: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = form.getAll(name);
  if (others.length > 0) throw new OauthError('invalid_request', `${name} must occur at most once.`);
  return value === '' ? undefined : value;
}

const actorOf = ({ person }: OwnedGrant, { origin, userAgent, requestId }: TokenCall): Actor => ({
  teamId: person.teamId,
  keyId: undefined,
  userEmail: person.email,
  origin,
  userAgent,
  requestId,
});

/** Ends the access of an app, because a code or a token was used twice: one of the two users has stolen it. */
async function endStolen(ctx: Context, grant: OwnedGrant, call: TokenCall, reason: string): Promise<void> {
  const isEnded = await ctx.db.$transaction(async (tx) => {
    if (!(await deleteGrant(tx, { id: grant.id }))) return false;
    const action = { action: 'endAppAccess', resourceType: 'app', resourceId: grant.id };
    await recordAudit(tx, actorOf(grant, call), { ...action, details: { name: grant.name, reason } });
    return true;
  });
  if (isEnded) ctx.pairChanges.announce({ teamId: grant.person.teamId, pairId: grant.personId });
}

const invalidCode = () =>
  new OauthError('invalid_grant', 'The authorization code is unknown, expired or used. Connect the app again.');
const invalidToken = () =>
  new OauthError('invalid_grant', 'The refresh token is unknown, expired or used. Connect the app again.');

function matches(verifier: string, challenge: string): boolean {
  const computed = createHash('sha256').update(verifier).digest();
  const stored = Buffer.from(challenge, 'base64url');
  return computed.length === stored.length && timingSafeEqual(computed, stored);
}

/** Throws unless a grant is for the resource of this installation, and for that of the request. */
function requireResource({ resource }: OwnedGrant, { form, urls }: TokenCall): void {
  if (!form.getAll('resource').every((given) => isResource(given, urls)) || resource !== urls.resource) {
    throw new OauthError('invalid_target', `resource must be ${urls.resource}.`);
  }
}

async function exchangeCode(ctx: Context, call: TokenCall): Promise<AppTokens> {
  const { form } = call;
  const code = required(form, 'code');
  const clientId = required(form, 'client_id');
  const verifier = required(form, 'code_verifier');
  const redirectUri = optional(form, 'redirect_uri');
  const grant = isToken('appCode', code) ? await findByCode(ctx.db, code) : undefined;
  if (grant === undefined || grant.clientId !== clientId) throw invalidCode();
  if (redirectUri !== undefined && redirectUri !== grant.redirectUri) {
    throw new OauthError('invalid_grant', 'redirect_uri is not that of the authorization request.');
  }
  if (!VERIFIER.test(verifier) || !matches(verifier, grant.codeChallenge)) {
    throw new OauthError('invalid_grant', 'code_verifier does not match the code_challenge.');
  }
  requireResource(grant, call);
  const tokens = grant.activatedAt === null ? await ctx.db.$transaction((tx) => activateGrant(tx, grant)) : undefined;
  if (tokens !== undefined) return tokens;
  await endStolen(ctx, grant, call, 'the authorization code was used twice');
  throw invalidCode();
}

/** The scopes of a new access token: those of the grant, or fewer. */
function narrowed(grant: OwnedGrant, wanted: string | undefined): readonly AppScope[] {
  const granted = scopesOf(grant.scopes);
  if (wanted === undefined) return granted;
  const scopes = scopesIn(wanted);
  if (scopes?.every((scope) => granted.includes(scope))) return scopes;
  throw new OauthError('invalid_scope', `scope must be among those of the authorization: ${granted.join(' ')}.`);
}

async function refresh(ctx: Context, call: TokenCall): Promise<AppTokens> {
  const { form } = call;
  const token = required(form, 'refresh_token');
  const clientId = required(form, 'client_id');
  const found = isToken('appRefresh', token) ? await findRefreshToken(ctx.db, token) : undefined;
  if (found === undefined || found.grant.clientId !== clientId) throw invalidToken();
  const { grant } = found;
  if (grant.expiresAt.getTime() <= Date.now() || grant.person.status !== 'active') throw invalidToken();
  requireResource(grant, call);
  const scopes = narrowed(grant, optional(form, 'scope'));
  const { admitted, retryAfter } = await ctx.limiter.take(`g:${grant.id}`, REFRESHES_PER_MINUTE);
  if (!admitted) {
    const message = `The app renews its access too often. Retry after ${retryAfter} s.`;
    throw new AppError('rate_limited', message, { details: { retryAfter } });
  }
  const tokens =
    found.usedAt === null ? await ctx.db.$transaction((tx) => rotateToken(tx, token, grant, scopes)) : undefined;
  if (tokens !== undefined) return tokens;
  await endStolen(ctx, grant, call, 'a refresh token was used twice');
  throw invalidToken();
}

const GRANTS: Readonly<Record<string, (ctx: Context, call: TokenCall) => Promise<AppTokens>>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
};

/** Issues tokens (RFC 6749, 5.1). Throws `OauthError`. */
export async function issueTokens(ctx: Context, call: TokenCall) {
  const type = required(call.form, 'grant_type');
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (grant === undefined) {
    throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }
  // A client that was removed has to register again, which this error makes it do.
  const clientId = required(call.form, 'client_id');
  if (!isClientId(clientId) || (await ctx.db.appClient.count({ where: { id: clientId } })) === 0) {
    throw new OauthError('invalid_client', 'The client is unknown. Register it again.');
  }
  const { access, refresh: refreshToken, scopes } = await grant(ctx, call);
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}

/** Ends the access that a token belongs to (RFC 7009). An unknown token is not an error. */
export async function revokeToken(ctx: Context, call: TokenCall): Promise<boolean> {
  const token = required(call.form, 'token');
  const clientId = required(call.form, 'client_id');
  if (!isToken('appAccess', token) && !isToken('appRefresh', token)) return false;
  const grant = await findByToken(ctx.db, token);
  if (grant === undefined || grant.clientId !== clientId) return false;
  await ctx.db.$transaction(async (tx) => {
    if (!(await deleteGrant(tx, { id: grant.id }))) return;
    const action = { action: 'revokeAppAccess', resourceType: 'app', resourceId: grant.id };
    await recordAudit(tx, actorOf(grant, call), { ...action, details: { name: grant.name } });
  });
  ctx.pairChanges.announce({ teamId: grant.person.teamId, pairId: grant.personId });
  return true;
}
