import type { OperationSpec } from '@lectern/api-spec';
import { auditOperation } from '#audit/audit-operation';
import type { Context } from '#context';
import type { ApiResponse } from '#http/api-response';
import type { CurrentRecord } from '#http/body/read-record';
import type { BodyReader } from '#http/body/reader';
import { fingerprintOf } from '#idempotency/fingerprint';
import { readIdempotencyKey } from '#idempotency/idempotency-key';
import { deleteResponsesAbout } from '#idempotency/request-store';
import { type ReplayableOperation, runOnce } from '#idempotency/run-once';
import { deletedIn } from '#idempotency/subjects';
import { clientNetwork } from '#limits/client-ip';
import type { KeyedCall, RawRequest } from '#pipeline/operation';

/** The parsed address of a request. */
export interface ParsedAddress {
  readonly params: unknown;
  readonly query: unknown;
  /** Reads the record at the address, if the body changes it. */
  readonly current?: (() => Promise<CurrentRecord>) | undefined;
}

/**
 * Reads the body, checks the key or the session again, and runs the handler: once per
 * Idempotency-Key, and with an audit event for management operations.
 */
export async function execute<B>(
  ctx: Context,
  operation: OperationSpec & ReplayableOperation,
  reader: BodyReader<B>,
  address: ParsedAddress,
  request: RawRequest,
  call: KeyedCall,
  handle: (body: B, seed?: string) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const idempotencyKey = readIdempotencyKey(operation, request.message.headers);
  // A body with its own fingerprint is read twice.
  if (idempotencyKey !== undefined && reader.fingerprint !== undefined) {
    await request.body.buffer({ pairId: call.key.pairId, network: clientNetwork(call.client.address) });
  }
  const body = await reader.read(request.body.open(), ctx.config, address.current);
  // The client decides how long it sends the body.
  if (operation.method !== 'get') await ctx.keyWatches.requireAccess(call);
  const audited = async (seed?: string) => {
    const result = await handle(body, seed);
    await auditOperation(ctx, operation, address.params, body, call, result);
    if (operation.method === 'delete' && result.kind === 'data') {
      await deleteResponsesAbout(ctx.db, deletedIn(result.data)).catch((err: unknown) =>
        ctx.log.error({ err, operation: operation.id }, 'could not delete the stored responses about a deleted record'),
      );
    }
    return result;
  };
  if (idempotencyKey === undefined) return audited();
  const fingerprint = await fingerprintOf(ctx, reader, request.body, { query: address.query, body });
  return runOnce(ctx, { operation, params: address.params, idempotencyKey, fingerprint, call }, audited);
}
