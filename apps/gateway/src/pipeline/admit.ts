import type { ServerResponse } from 'node:http';
import { AppError, type Caller, isInScope, onBehalfOf, requireFullScope, requireInScope } from '@lectern/service-kit';
import { trace } from '@opentelemetry/api';
import type { Context } from '#context';
import { requireAllowedPage, restrictOrigins } from '#keys/allowed-page';
import { authenticate } from '#keys/authenticate';
import { requireEndUserAccess } from '#keys/end-user-access';
import type { StoredKey } from '#keys/key-store';
import { serviceUser } from '#keys/service-user';
import { clientAddress, clientNetwork } from '#limits/client-ip';
import { limitRequest } from '#limits/limit-request';
import type { KeyedCall, KeyedOperation, OpenCall, RawRequest } from '#pipeline/operation';
import { checkSignature } from '#signatures/check-signature';
import { readSignatureHead } from '#signatures/signature-head';
import { requireUnused, useSignature } from '#signatures/use-signature';

const MAX_USER_AGENT = 300;

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

function requireAccess(access: KeyedOperation['access'], { kind, teamId }: StoredKey, params: unknown): void {
  if (access === 'secret' && kind === 'publishable') {
    throw new AppError(
      'forbidden',
      'A publishable key may not call this operation. Use the secret key, from a server.',
    );
  }
  const inPath = teamInPath(params);
  if (inPath !== undefined && inPath !== teamId) {
    throw new AppError('forbidden', 'This API key belongs to another team.');
  }
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
function publicOnlyOf({ kind, publishableReads }: StoredKey): Pick<Caller, 'publicOnly'> {
  return kind === 'publishable' && publishableReads !== 'all' ? { publicOnly: true } : {};
}

/**
 * True for operations that change something or cost money. Operations that accept publishable keys
 * do neither.
 */
const isMutation = ({ method, access }: KeyedOperation) => method !== 'get' && access === 'secret';

/**
 * Accepts a request after these checks, in order: the key (401), its limit (429; from here on,
 * responses include the limit headers), a required signature (401), the access of the key and the
 * page (403), and the signature of the body (401). The body is not read before the last check.
 */
export const admit: Admit = async (ctx, operation, request, response, call) => {
  const { headers } = request.message;
  const address = clientAddress(request.message, ctx.isTrustedProxy);
  const { presented, key } = await authenticate(ctx.keys, headers, {
    tryTake: () => {
      const createError = ctx.unknownKeys.tryTake(clientNetwork(address));
      return createError && (() => createError(response));
    },
    giveBack: () => ctx.unknownKeys.giveBack(clientNetwork(address)),
    exists: ctx.keyExists,
  });
  const { pairId, teamId, kind, scope } = key;
  trace.getActiveSpan()?.setAttribute('lectern.team_id', teamId);
  ctx.lastUsed.note(pairId);
  call.usage.teamId = teamId;
  restrictOrigins(response, key, headers.origin);
  await limitRequest(ctx, key, address, response);
  const signature = readSignatureHead(headers, key, Date.now());
  requireAccess(operation.access, key, request.params);
  requireAllowedPage(key, headers);
  const userEmail = serviceUser(headers, kind);
  if (userEmail !== undefined) requireEndUserAccess(operation);
  const caller: Caller = { teamId, keyId: pairId, scope, userEmail, ...publicOnlyOf(key) };
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
    client: { address, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) },
  };
};
