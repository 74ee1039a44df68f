import { auditAnswer } from '#audit/audit-answer';
import type { Context } from '#context';
import type { Answer } from '#http/answer';
import type { Body, CurrentRecord } from '#http/body/body';
import type { Described, KeyedCall, RawRequest } from '#http/operation';
import { fingerprintOf } from '#idempotency/fingerprint';
import { readIdempotencyKey } from '#idempotency/idempotency-key';
import { dropAnswersAbout } from '#idempotency/request-store';
import { runOnce } from '#idempotency/run-once';
import { deletedIn } from '#idempotency/subjects';
import { clientNetwork } from '#limits/client-ip';

/** An operation that takes a key, as far as it matters here. */
export type Carried<B> = Described & { readonly access: 'publishable' | 'secret'; readonly body: Body<B> };

/** What stands in a request's address, parsed. */
export interface Address {
  readonly params: unknown;
  readonly query: unknown;
  /** Reads the record at the address, if the body changes it. */
  readonly current?: (() => Promise<CurrentRecord>) | undefined;
}

/** Reads the body and carries the operation out: once for each Idempotency-Key, and with a note in the audit log where it manages something. */
export async function carryOut<B>(
  ctx: Context,
  operation: Carried<B>,
  address: Address,
  request: RawRequest,
  call: KeyedCall,
  act: (body: B, seed?: string) => Promise<Answer>,
): Promise<Answer> {
  const idempotencyKey = readIdempotencyKey(operation, request.message.headers);
  // What cannot be compared as it is read must be read twice.
  if (idempotencyKey !== undefined && operation.body.fingerprint !== undefined) {
    await request.body.hold({ pairId: call.key.pairId, network: clientNetwork(call.client.address) });
  }
  const body = await operation.body.read(request.body.open(), ctx.config, address.current);
  const audited = async (seed?: string) => {
    const answer = await act(body, seed);
    await auditAnswer(ctx, operation, address.params, body, call, answer);
    if (operation.method === 'delete' && answer.kind === 'data') {
      await dropAnswersAbout(ctx.db, deletedIn(answer.data)).catch((err: unknown) =>
        ctx.log.error({ err, operation: operation.id }, 'could not delete the stored responses about a deleted record'),
      );
    }
    return answer;
  };
  if (idempotencyKey === undefined) return audited();
  const fingerprint = await fingerprintOf(ctx, operation.body, request.body, { query: address.query, body });
  return runOnce(ctx, { operation, params: address.params, idempotencyKey, fingerprint, call }, audited);
}
