import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { accessOf, hasRole } from '@lectern/api-spec';
import { AppError, type Caller, isInScope, onBehalfOf, requireFullScope, requireInScope } from '@lectern/service-kit';
import { trace } from '@opentelemetry/api';
import type { Context } from '#context';
import { knownAppUrls } from '#identity/app-urls';
import { requireOwnPage } from '#identity/own-page';
import { readSessionCookie } from '#identity/session-cookie';
import { requireAllowedAddress } from '#keys/allowed-address';
import { requireAllowedPage, restrictOrigins } from '#keys/allowed-page';
import { authenticate } from '#keys/authenticate';
import { requireEndUserAccess } from '#keys/end-user-access';
import type { StoredKey } from '#keys/key-store';
import { requireOperationRight } from '#keys/rights';
import { serviceUser } from '#keys/service-user';
import { clientNetwork } from '#limits/client-ip';
import { limitRequest } from '#limits/limit-request';
import type { KeyedCall, KeyedOperation, OpenCall, RawRequest } from '#pipeline/operation';
import { checkSignature } from '#signatures/check-signature';
import { readSignatureHead } from '#signatures/signature-head';
import { requireUnused, useSignature } from '#signatures/use-signature';

/** Accepts a request, or throws `AppError`. */
export type Admit = (
  ctx: Context,
  operation: KeyedOperation,
  request: RawRequest,
  response: ServerResponse,
  call: OpenCall,
) => Promise<KeyedCall>;

function teamInPath(params: unknown): unknown {
  return typeof params === 'object' && params !== null ? Reflect.get(params, 'teamId') : undefined;
}

function requireAccess({ id, isForPeople }: KeyedOperation, key: StoredKey, params: unknown): void {
  const { teamId, person } = key;
  requireOperationRight(id, key);
  if (isForPeople === true && person === undefined) {
    throw new AppError('forbidden', 'A key has no account. Sign in to the console.');
  }
  const { role } = accessOf(id);
  if (person !== undefined && !hasRole(person.role, role)) {
    throw new AppError(
      'forbidden',
      role === null
        ? 'This operation requires an API key. Call it from a server, with a secret key.'
        : `Your role does not allow this. It requires the role ${role}. Ask an admin of your team.`,
    );
  }
  const inPath = teamInPath(params);
  if (inPath !== undefined && inPath !== teamId) {
    throw new AppError('forbidden', `${person === undefined ? 'This API key belongs' : 'You belong'} to another team.`);
  }
}

/**
 * Returns the end user of a request: the signed-in person, the person of an app, the user of a user token
 * with its filters, or the user in X-Service-User. Throws `forbidden` and `invalid_request`.
 */
async function endUserOf(
  { endUserGroups }: Context,
  operation: KeyedOperation,
  headers: IncomingHttpHeaders,
  { kind, person, teamId, token, app }: StoredKey,
) {
  const named = serviceUser(headers, person === undefined && app === undefined ? kind : undefined);
  if (named !== undefined) requireEndUserAccess(operation);
  if (token !== undefined) {
    const filters = token.filters === undefined ? {} : { filters: token.filters };
    return { userEmail: token.user, groups: await endUserGroups.find(teamId, token.user), ...filters };
  }
  if (app !== undefined) return { userEmail: app.email, groups: app.groups };
  if (person !== undefined) {
    const { email, role, groups, language } = person;
    return { userEmail: email, mayManage: hasRole(role, 'editor'), groups, ...(language === null ? {} : { language }) };
  }
  return named === undefined
    ? { userEmail: named }
    : { userEmail: named, groups: await endUserGroups.find(teamId, named) };
}

/** Tokens of apps are for one resource, which has another URL if the installation has moved. Throws `invalid_key`. */
function requireAudience(
  { config }: Context,
  { resource }: NonNullable<StoredKey['app']>,
  call: Pick<OpenCall, 'host' | 'client'>,
): void {
  if (knownAppUrls(config.PUBLIC_URL, call)?.resource === resource) return;
  throw new AppError('invalid_key', 'This access token is for another installation. Connect the app again.');
}

/** Only pages of this installation use a session, and only they may read its responses. */
function requireSessionPage(
  { config }: Context,
  { method }: KeyedOperation,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): void {
  response.removeHeader('Access-Control-Allow-Origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  requireOwnPage(headers, { isRead: method === 'get', publicUrl: config.PUBLIC_URL });
}

/**
 * Checks the scope as far as it depends on the path. This happens before the body is read, so that
 * a key never gets errors about the body of an operation that it cannot call. Throws `forbidden`,
 * and `not_found` for an unknown collection.
 */
async function requireScope(
  { clients }: Context,
  { fullScopeTo, ofCollection }: KeyedOperation,
  call: OpenCall & { readonly caller: Caller },
  params: unknown,
): Promise<void> {
  const { caller } = call;
  if (fullScopeTo !== undefined) requireFullScope(caller, fullScopeTo);
  const id: unknown =
    ofCollection && typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : undefined;
  if (typeof id !== 'string' || isInScope(caller, id)) return;
  // The collection service distinguishes an unknown collection from one without access.
  await clients.collections.getCollection({ id }, onBehalfOf(call));
  requireInScope(caller, id);
}

/** Pages expose their publishable key to everyone, so it reads only public documents. */
function publicOnlyOf({ kind, publishableReads, token }: StoredKey): Pick<Caller, 'publicOnly'> {
  return kind === 'publishable' && token === undefined && publishableReads !== 'all' ? { publicOnly: true } : {};
}

/** The services run an agent only for a key that may do so. The role of a person allows it. */
const agentsOf = ({ person, rights }: StoredKey): Pick<Caller, 'noAgents'> =>
  person === undefined && !rights.includes('agents') ? { noAgents: true } : {};

/**
 * True for operations that change something or cost money. Operations that accept publishable keys
 * do neither.
 */
const isMutation = ({ method, access }: KeyedOperation) => method !== 'get' && access === 'secret';

/**
 * Accepts a request after these checks, in order: the key, the token or the session (401), the page that uses a
 * session or the address (403), the limit (429; from here on, responses include the limit headers), a required
 * signature (401), the access of the key or the role, and the page (403), and the signature of the
 * body (401). The body is not read before the last check.
 */
export const admit: Admit = async (ctx, operation, request, response, call) => {
  const { headers } = request.message;
  const { address, isSecure } = call.client;
  const { presented, key } = await authenticate(ctx.keys, headers, readSessionCookie(headers, isSecure), {
    tryTake: () => {
      const createError = ctx.unknownKeys.tryTake(clientNetwork(address));
      return createError && (() => createError(response));
    },
    giveBack: () => ctx.unknownKeys.giveBack(clientNetwork(address)),
    exists: ctx.keyExists,
  });
  const { pairId, teamId, kind, scope, person, app } = key;
  trace.getActiveSpan()?.setAttribute('lectern.team_id', teamId);
  // Before anything that the page of another site must not cause with somebody's cookie.
  if (person !== undefined) requireSessionPage(ctx, operation, headers, response);
  if (app !== undefined) requireAudience(ctx, app, call);
  // Others must not use up the limit of the key.
  requireAllowedAddress(key, address);
  if (person !== undefined) ctx.sessionsUsed.note(person.sessionId);
  else if (app !== undefined) ctx.appsUsed.note(app.grantId);
  else ctx.lastUsed.note(pairId);
  call.usage.teamId = teamId;
  call.usage.subject = pairId;
  restrictOrigins(response, key, headers.origin);
  await limitRequest(ctx, key, address, response);
  const signature = person === undefined ? readSignatureHead(headers, key, Date.now()) : undefined;
  requireAccess(operation, key, request.params);
  requireAllowedPage(key, headers);
  const endUser = await endUserOf(ctx, operation, headers, key);
  const caller: Caller = { teamId, keyId: pairId, scope, ...endUser, ...publicOnlyOf(key), ...agentsOf(key) };
  await requireScope(ctx, operation, { ...call, caller }, request.params);
  if (signature !== undefined) {
    const mutation = { pairId, operation: operation.id, params: request.params };
    const isSingleUse = isMutation(operation);
    if (isSingleUse) await requireUnused(ctx.db, signature, mutation);
    const origin = { pairId, network: clientNetwork(address) };
    await checkSignature(signature, presented, request.body, origin);
    if (isSingleUse) await useSignature(ctx.db, signature, mutation);
  }
  return {
    ...call,
    caller,
    kind,
    key,
    presentedKey: presented,
  };
};
