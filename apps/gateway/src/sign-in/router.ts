import { isId } from '@lectern/contracts';
import { AppError, invalidRequest, notFound } from '@lectern/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { IdentityProvider, Person, Prisma } from '#gen/prisma/client';
import { readBytes } from '#http/body/read-bytes';
import { requestIdOf, sendData } from '#http/envelope';
import { otherMethod } from '#http/errors';
import { replaceSignInGroups } from '#identity/group-store';
import { accountOf } from '#identity/oidc/account';
import { startAttempt, takeAttempt } from '#identity/oidc/attempts';
import { type Authenticated, exchangeCode } from '#identity/oidc/exchange';
import { LOGOUT_TOKEN_MS, verifyLogoutToken } from '#identity/oidc/logout-token';
import { returnPath } from '#identity/oidc/return-path';
import { tokenOwner } from '#identity/oidc/sign-out';
import { providerUrls, requireTrustedUrl } from '#identity/oidc/urls';
import { lockPeople } from '#identity/person-store';
import { sessionCookie } from '#identity/session-cookie';
import { endProviderSessions, type ProviderSession } from '#identity/session-store';
import { SignInError } from '#identity/sign-in-error';
import { hashKey } from '#keys/format';
import { clientNetwork } from '#limits/client-ip';
import { actorOf, type SessionCall, startSession } from '#operations/sessions/routes';
import { measure } from '#pipeline/measure';
import { clientOf } from '#pipeline/run-operation';
import { sendFailurePage } from '#sign-in/failure-page';

const MAX_LOGOUT_BYTES = 64 * 1024;
/** A longer ID token would not fit into the URL of a sign-out. */
const MAX_HINT_BYTES = 4_096;
const FORM = 'application/x-www-form-urlencoded';

/** A request of a browser or of a provider. */
interface Call extends SessionCall {
  readonly host: string | undefined;
}

const callOf = (ctx: Context, request: Request, response: Response): Call => ({
  requestId: requestIdOf(response),
  host: request.headers.host,
  headers: request.headers,
  client: clientOf(ctx, request),
});

async function requireProvider({ db }: Context, request: Request): Promise<IdentityProvider> {
  const id = String(request.params.id);
  const provider = isId('identityProvider', id) ? await db.identityProvider.findUnique({ where: { id } }) : null;
  if (provider === null) throw notFound('identity provider', id.slice(0, 100));
  return provider;
}

/** Redirects the browser to the provider. */
async function start(ctx: Context, request: Request, response: Response, call: Call): Promise<void> {
  const { PUBLIC_URL } = ctx.config;
  const provider = await requireProvider(ctx, request);
  requireTrustedUrl(PUBLIC_URL, call);
  const { config } = await ctx.oidc.clientOf(provider);
  const { returnTo: wanted } = request.query;
  const returnTo = returnPath(typeof wanted === 'string' ? wanted : undefined);
  const browser = { headers: call.headers, isSecure: call.client.isSecure };
  const { attempt, cookie } = await startAttempt(ctx.db, browser, { providerId: provider.id, returnTo });
  const target = buildAuthorizationUrl(config, {
    redirect_uri: providerUrls(PUBLIC_URL, call, provider.id).redirectUri,
    scope: [...new Set(['openid', ...provider.scopes])].join(' '),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
  });
  response.setHeader('Set-Cookie', cookie);
  response.statusCode = 302;
  response.setHeader('Location', target.href);
  response.end();
}

/** What a session stores about its provider. */
function providerSession(
  { secrets }: Context,
  provider: IdentityProvider,
  { profile: { subject, sessionId }, idToken }: Authenticated,
): ProviderSession {
  const hint = Buffer.byteLength(idToken) <= MAX_HINT_BYTES ? secrets.seal(idToken, tokenOwner(provider, subject)) : {};
  return { providerId: provider.id, subject, providerSessionId: sessionId ?? null, ...hint };
}

/** The settings with which the claims of a person were read. */
const READ_WITH = ['issuer', 'clientId', 'groupsClaim'] as const;

/**
 * Returns the settings of the provider as they are now: they decide who may sign in. Throws `forbidden`
 * if it was deleted while it authenticated a person, or its claims are now read in another way.
 */
async function currentSettings(tx: Prisma.TransactionClient, before: IdentityProvider): Promise<IdentityProvider> {
  const now = await tx.identityProvider.findUnique({ where: { id: before.id } });
  if (now !== null && READ_WITH.every((setting) => now[setting] === before[setting])) return now;
  throw new SignInError('forbidden', {
    en: `${before.name} was changed or removed during this sign-in. Start again.`,
    de: `${before.name} wurde während der Anmeldung geändert oder entfernt. Beginnen Sie noch einmal.`,
  });
}

/** Signs a person in whom the provider has authenticated. Returns the token of the session. */
async function signIn(
  ctx: Context,
  used: IdentityProvider,
  authenticated: Authenticated,
  call: Call,
): Promise<{ readonly person: Person; readonly token: string }> {
  const { profile } = authenticated;
  return ctx.db.$transaction(async (tx) => {
    await lockPeople(tx, used.teamId);
    const provider = await currentSettings(tx, used);
    const { person, actions } = await accountOf(tx, provider, profile);
    for (const action of actions) {
      await recordAudit(tx, actorOf(call, person), { ...action, resourceType: 'person', resourceId: person.id });
    }
    await replaceSignInGroups(tx, person, provider.slug, profile.groups);
    const action = { action: 'signIn', details: { provider: provider.id } };
    const session = providerSession(ctx, provider, authenticated);
    return { person, token: await startSession(ctx, tx, call, person, action, session) };
  });
}

/** Receives the response of the provider, and signs the person in. */
async function finish(ctx: Context, request: Request, response: Response, call: Call): Promise<void> {
  const { PUBLIC_URL } = ctx.config;
  const provider = await requireProvider(ctx, request);
  const url = requireTrustedUrl(PUBLIC_URL, call);
  const { search, searchParams } = new URL(request.originalUrl, 'http://installation.invalid');
  const state = searchParams.get('state') ?? '';
  const browser = { headers: call.headers, isSecure: call.client.isSecure };
  const attempt = await takeAttempt(ctx.db, browser, { providerId: provider.id, state });
  if (attempt === undefined) {
    throw new SignInError('forbidden', {
      en: 'This sign-in was not started in this browser, was already used, or is older than ten minutes. Start again.',
      de: 'Diese Anmeldung wurde nicht in diesem Browser begonnen, schon benutzt oder ist älter als zehn Minuten. Beginnen Sie noch einmal.',
    });
  }
  const client = await ctx.oidc.clientOf(provider);
  const { redirectUri } = providerUrls(PUBLIC_URL, call, provider.id);
  const authenticated = await exchangeCode(client, provider, new URL(`${redirectUri}${search}`), attempt);
  const { person, token } = await signIn(ctx, provider, authenticated, call);
  ctx.pairChanges.announce({ teamId: person.teamId, pairId: person.id });
  ctx.providerSignIns.giveBack(clientNetwork(call.client.address));
  response.setHeader('Set-Cookie', sessionCookie(token, ctx.sessionTimes.maxMinutes, call.client.isSecure));
  response.statusCode = 302;
  response.setHeader('Location', `${url}${attempt.returnTo}`);
  response.end();
}

/** Stores the id of a logout token. Throws `invalid_request` if it was used. */
async function useLogoutToken(db: Prisma.TransactionClient, providerId: string, id: string): Promise<void> {
  const digest = hashKey(`logout ${providerId} ${id}`);
  const expiresAt = new Date(Date.now() + LOGOUT_TOKEN_MS);
  const { count } = await db.usedSignature.createMany({ data: [{ digest, expiresAt }], skipDuplicates: true });
  if (count === 0) throw invalidRequest([{ path: 'logout_token', message: 'was already used' }]);
}

/** Ends the sessions that the provider names, because the person signed out there. */
async function logOut(ctx: Context, request: Request, response: Response, call: Call): Promise<void> {
  const provider = await requireProvider(ctx, request);
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== FORM) {
    throw new AppError('unsupported_media_type', `Content-Type must be ${FORM}.`);
  }
  const source = { headers: request.headers, bytes: request, isComplete: () => request.complete };
  const limits = { limitBytes: MAX_LOGOUT_BYTES, timeoutMs: ctx.config.BODY_TIMEOUT_MS };
  const form = new URLSearchParams((await readBytes(source, limits)).toString());
  const [token, ...others] = form.getAll('logout_token');
  if (token === undefined || others.length > 0) {
    throw invalidRequest([{ path: 'logout_token', message: 'must occur exactly once' }]);
  }
  const { id, ...named } = await verifyLogoutToken(await ctx.oidc.clientOf(provider), token);
  // The provider can repeat a token whose sessions did not end.
  const { ended, personIds } = await ctx.db.$transaction(async (tx) => {
    await useLogoutToken(tx, provider.id, id);
    return endProviderSessions(tx, provider.id, named);
  });
  for (const pairId of personIds) ctx.pairChanges.announce({ teamId: provider.teamId, pairId });
  ctx.providerSignIns.giveBack(clientNetwork(call.client.address));
  ctx.log.info({ requestId: call.requestId, providerId: provider.id, ended }, 'back-channel logout');
  await sendData(response, 200, { ended });
}

type Handle = typeof start;

/** Counts the request and handles it. */
const handler =
  (ctx: Context, handle: Handle): RequestHandler =>
  async (request, response) => {
    // Pages of other sites have no use for these responses.
    response.removeHeader('Access-Control-Allow-Origin');
    const call = callOf(ctx, request, response);
    ctx.providerSignIns.take(clientNetwork(call.client.address), response);
    await handle(ctx, request, response, call);
  };

/** Shows a page to the person if the sign-in fails. */
const page =
  (ctx: Context, handle: Handle): RequestHandler =>
  async (request, response, next) => {
    try {
      await handler(ctx, handle)(request, response, next);
    } catch (error) {
      const { code, cause } = sendFailurePage(response, error);
      // The message can contain an address.
      const line = { requestId: requestIdOf(response), code, err: code === 'internal_error' ? error : cause };
      if (code === 'internal_error') ctx.log.error(line, 'sign-in failed');
      else ctx.log.warn(line, 'sign-in failed');
    }
  };

/** Serves the pages of sign-ins with identity providers, and their back-channel logout. */
export function signInRouter(ctx: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/sign-in/:id')
    .get(measure({ id: 'startProviderSignIn' }), page(ctx, start))
    .all(otherMethod('GET'));
  router
    .route('/sign-in/:id/callback')
    .get(measure({ id: 'finishProviderSignIn' }), page(ctx, finish))
    .all(otherMethod('GET'));
  router
    .route('/sign-in/:id/back-channel-logout')
    .post(measure({ id: 'backChannelLogout' }), handler(ctx, logOut))
    .all(otherMethod('POST'));
  return router;
}
