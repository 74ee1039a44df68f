import { AppError, type Logger, type Running, repeat } from '@lectern/service-kit';
import { type ApprovalState, approvalState, expireApprovals } from '#approvals/approval-rows';
import type { PrismaClient } from '#gen/prisma/client';

const POLL_MS = 500;

/** What became of an approval. */
export interface Decision {
  readonly status: Exclude<ApprovalState, 'pending'>;
  readonly reason: string | null;
}

/**
 * The approvals that runs of this process wait for. The decision is a row, which any replica can
 * write: a wait costs no connection, only a place in one query.
 */
export interface ApprovalWaits {
  /** Resolves when the approval is no longer pending. Throws the reason of the signal. */
  wait(id: string, signal: AbortSignal): Promise<Decision>;
  /** Looks for decisions now, after one was made here. */
  check(): Promise<void>;
  /** Ends all waits with `unavailable`, because the process stops. */
  interrupt(): void;
  start(log: Logger): Running;
}

/** Creates an empty registry. */
export function createApprovalWaits(db: PrismaClient): ApprovalWaits {
  const waits = new Map<string, PromiseWithResolvers<Decision>>();
  const check = async () => {
    if (waits.size === 0) return;
    await expireApprovals(db);
    // Others can begin to wait during the query, which does not contain them.
    const waiting = [...waits];
    const rows = await db.approval.findMany({ where: { id: { in: waiting.map(([id]) => id) } } });
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const [id, wait] of waiting) {
      const row = found.get(id);
      // The run was deleted with its agent.
      const status = row === undefined ? 'cancelled' : approvalState(row);
      if (status !== 'pending') wait.resolve({ status, reason: row?.reason ?? null });
    }
  };
  return {
    async wait(id, signal) {
      signal.throwIfAborted();
      const decided = Promise.withResolvers<Decision>();
      waits.set(id, decided);
      const onAbort = () => decided.reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await decided.promise;
      } finally {
        waits.delete(id);
        signal.removeEventListener('abort', onAbort);
      }
    },
    check,
    interrupt() {
      const reason = new AppError('unavailable', 'The service is restarting. Send the message again.');
      for (const wait of waits.values()) wait.reject(reason);
    },
    start: (log) => repeat({ name: 'find decided approvals', intervalMs: POLL_MS, log }, check),
  };
}
