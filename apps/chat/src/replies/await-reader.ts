import { setTimeout as delay } from 'node:timers/promises';
import type { ReplyLog } from '#replies/reply-log';

/** Milliseconds that a reply goes on without a reader: enough for a connection that broke, and within the second after which it must end. */
const GRACE_MS = 400;
const LOOK_MS = 100;

/**
 * Keeps a reply going whose reader has left, as long as another one reads what is written down of it. Resolves when it has ended, or nobody
 * has read it for 400 ms. Throws where the database is away.
 */
export async function awaitReader(log: ReplyLog): Promise<void> {
  let alone = performance.now();
  while (!log.ended) {
    if (await log.writeDown()) alone = performance.now();
    else if (performance.now() - alone >= GRACE_MS - LOOK_MS / 2) return;
    await delay(LOOK_MS);
  }
}
