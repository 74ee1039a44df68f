import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { holdLease } from '@lectern/resilience';
import { AppError, type Caller, toAppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import { type ApiResponse, replayed } from '#http/api-response';
import {
  clearResponse,
  dropRequest,
  findRequest,
  type Holder,
  LOCK_MS,
  releaseRequest,
  renewRequest,
  storeResponse,
  takeRequest,
} from '#idempotency/request-store';
import { seal, unseal } from '#idempotency/seal';
import { itemErrorsIn, subjectsOf } from '#idempotency/subjects';
import type { KeyedCall, KeyedOperation } from '#pipeline/operation';

/** How long a retry waits for the first request. */
const WAIT_MS = 20_000;
const POLL_MS = 50;

/** The part of an operation that storing and replaying its response needs. */
export type ReplayableOperation = Pick<KeyedOperation, 'id' | 'method' | 'path' | 'returnsSecret' | 'canReplay'>;

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly operation: ReplayableOperation;
  readonly params: unknown;
  readonly idempotencyKey: string;
  /** SHA-256 of the parsed request. */
  readonly fingerprint: Buffer<ArrayBuffer>;
  readonly call: KeyedCall;
}

const storedResponse = z.object({
  data: z.unknown(),
  page: z.object({ page: z.number(), limit: z.number(), total: z.number(), hasMore: z.boolean() }).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  status: z.int().optional(),
});

const conflict = (message: string) => new AppError('conflict', message);

const scopeOf = ({ scope }: Caller) => (scope.kind === 'all' ? 'all' : [...new Set(scope.ids)].sort());

/**
 * Returns the slot of an Idempotency-Key. A response is replayed only to the end user who received
 * it, and only while the scope of the key and the filters of a user token are unchanged. Under another scope the request counts as a new
 * one and is checked again.
 */
function digestOf({ operation, params, idempotencyKey, call }: KeyedRequest): Buffer<ArrayBuffer> {
  const { caller, key } = call;
  const filters = caller.filters === undefined ? [] : [caller.filters];
  const who = [caller.teamId, key.pairId, caller.userEmail ?? null, scopeOf(caller), ...filters];
  return createHash('sha256')
    .update(JSON.stringify([...who, operation.method, operation.path, params, idempotencyKey]))
    .digest();
}

function toStored({ operation, params, call }: KeyedRequest, response: ApiResponse, digest: Buffer) {
  if (response.kind !== 'data') throw new TypeError(`${operation.id} returned a response that cannot be stored`);
  const { data, page, headers, status } = response;
  const text = Buffer.from(JSON.stringify({ data, page, headers, status }));
  // Sealed responses contain API keys, so they are deleted with the requesting key pair too.
  const subjects = [call.key.pairId, ...subjectsOf(params, data)];
  return { response: operation.returnsSecret ? seal(text, call.presentedKey, digest) : text, subjects };
}

const WITHDRAWN =
  'The response to the first request with this Idempotency-Key cannot be replayed: it cites documents that were deleted or that you may no longer read. Send the request with a new Idempotency-Key.';

async function replay(ctx: Context, request: KeyedRequest, bytes: Buffer, digest: Buffer<ArrayBuffer>) {
  const { operation, call } = request;
  if (bytes.length === 0) throw conflict(WITHDRAWN);
  const text = operation.returnsSecret ? unseal(bytes, call.presentedKey, digest) : bytes;
  if (text === undefined)
    throw conflict(
      'The response to the first request with this Idempotency-Key can only be replayed with the API key that sent it. Send the request with a new Idempotency-Key.',
    );
  const response = storedResponse.parse(JSON.parse(text.toString()));
  if (operation.canReplay !== undefined && !(await operation.canReplay(ctx, response.data, call))) {
    await clearResponse(ctx.db, digest);
    throw conflict(WITHDRAWN);
  }
  return replayed(response);
}

/** Errors after which the result is uncertain. */
const UNCERTAIN: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'cancelled', 'internal_error']);

/** True if the result of an item of a batch is uncertain. */
const isUncertain = (response: ApiResponse) =>
  response.kind === 'data' && itemErrorsIn(response.data).some((code) => UNCERTAIN.has(code));

/**
 * Runs the request and stores a successful response. Deletes a failed request, or releases it if
 * its result, or that of an item of a batch, is uncertain.
 */
async function runAndStore(
  { db, log }: Context,
  request: KeyedRequest,
  digest: Buffer<ArrayBuffer>,
  holder: Holder,
  work: (seed: string) => Promise<ApiResponse>,
) {
  // Work without its lease still ends: its response is then not stored.
  const lease = holdLease(() => renewRequest(db, digest, holder), {
    leaseMs: LOCK_MS,
    onRenewError: (err) => log.warn({ err }, 'could not renew the lease of an idempotent request'),
  });
  try {
    const response = await work(holder.seed);
    const store = () =>
      isUncertain(response)
        ? releaseRequest(db, digest, holder)
        : storeResponse(db, digest, holder, toStored(request, response, digest));
    // The request succeeded, so the client gets the response even if it cannot be stored.
    await store().catch((err: unknown) => log.error({ err }, 'could not store the response to an idempotent request'));
    return response;
  } catch (error) {
    const end = UNCERTAIN.has(toAppError(error).code) ? releaseRequest : dropRequest;
    await end(db, digest, holder).catch((err: unknown) => log.warn({ err }, 'could not release an idempotent request'));
    throw error;
  } finally {
    lease.stopRenewing();
  }
}

/**
 * Runs a request once per Idempotency-Key of a caller (`digestOf`), across all replicas. A retry
 * within 24 hours gets the stored response and waits for a running request; another request with
 * the key throws `conflict`. Only successes are stored. After an uncertain result, also of one item
 * of a batch, a retry uses the same seed, so that it finds what was already created.
 */
export async function runOnce(
  ctx: Context,
  request: KeyedRequest,
  work: (seed: string) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const digest = digestOf(request);
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const holder = await takeRequest(ctx.db, digest, request.fingerprint);
    if (holder !== undefined) return runAndStore(ctx, request, digest, holder, work);
    const earlier = await findRequest(ctx.db, digest);
    if (earlier !== undefined && !earlier.fingerprint.equals(request.fingerprint)) {
      throw conflict('This Idempotency-Key was used for another request. Use a new one.');
    }
    if (earlier !== undefined && earlier.response !== null) return replay(ctx, request, earlier.response, digest);
    if (performance.now() >= deadline)
      throw conflict('A request with this Idempotency-Key is still running. Retry shortly.');
    await delay(POLL_MS, undefined, { signal: request.call.signal });
  }
}
