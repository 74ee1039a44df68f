import { setTimeout as delay } from 'node:timers/promises';
import type { ReplyLog } from '#replies/reply-log';

/**
 * How long a reply continues without a reader: enough to reconnect, and less than the promised
 * second.
 */
const GRACE_MS = 400;
const POLL_MS = 100;
/** Between two writes of a reply that can take an hour. */
const SLOW_POLL_MS = 1_000;

/**
 * Persists a reply whose reader has disconnected as long as another one reads it. Resolves when the
 * reply has ended, or when it has had no reader for 400 ms. Whoever decides about a tool call need not
 * read the reply, so one that has waited for an approval continues to its end. Throws if the database is
 * unavailable.
 */
export async function waitForReader(log: ReplyLog): Promise<void> {
  let lastReadAt = performance.now();
  while (!log.ended) {
    if ((await log.persist()) || log.needsNoReader) lastReadAt = performance.now();
    else if (performance.now() - lastReadAt >= GRACE_MS - POLL_MS / 2) return;
    await delay(log.needsNoReader ? SLOW_POLL_MS : POLL_MS);
  }
}
