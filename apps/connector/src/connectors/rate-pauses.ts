import { setTimeout as wait } from 'node:timers/promises';
import { type EgressGuard, retryTime } from '@lectern/connectors';
import { type Messaging, sourcePaused } from '@lectern/messaging';

/**
 * The longest pause that a request waits for. A longer one ends the request, and the connector
 * stores it (schedule/throttle.ts).
 */
const LONGEST_WAIT_MS = 2_000;
/** The longest that a pause is kept here. A longer one is a row (schedule/throttle.ts); this bridges the time until every worker has read it. */
const MOST_KEPT_MS = 10_000;
/** A pause of no use any more; the map must not grow with each server that ever asked for one. */
const MOST_KEPT = 10_000;

const ASKS_TO_WAIT: ReadonlySet<number> = new Set([403, 429, 503, 529]);

/**
 * The pauses that sources have asked for, across all processes. No worker calls a server before its
 * pause ends.
 */
export interface RatePauses {
  /** Returns the guard of a connector. Its requests wait for the pauses of their server. */
  guard(connectorId: string, egress: EgressGuard): EgressGuard;
  close(): void;
}

export function createRatePauses(messaging: Messaging): RatePauses {
  const until = new Map<string, number>();
  const keyOf = (connectorId: string, origin: string) => `${connectorId} ${origin}`;

  const keep = (connectorId: string, origin: string, asked: number) => {
    const key = keyOf(connectorId, origin);
    const at = Math.min(asked, Date.now() + MOST_KEPT_MS);
    if (at <= Math.max(Date.now(), until.get(key) ?? 0)) return;
    until.delete(key);
    until.set(key, at);
    const [oldest] = until.keys();
    if (until.size > MOST_KEPT && oldest !== undefined) until.delete(oldest);
  };
  // Clocks differ between machines, so the event carries the remaining duration.
  const stop = messaging.listen(sourcePaused, [], ({ connectorId, origin, forMs }) =>
    keep(connectorId, origin, Date.now() + forMs),
  );

  const leftOf = (key: string): number => Math.max(0, (until.get(key) ?? 0) - Date.now());

  const note = (connectorId: string, origin: string, response: Response) => {
    if (!ASKS_TO_WAIT.has(response.status)) return;
    if (response.status !== 429 && !response.headers.has('retry-after')) return;
    const at = retryTime(response.headers).getTime();
    const forMs = at - Date.now();
    if (forMs <= 0) return;
    keep(connectorId, origin, at);
    messaging.announce(sourcePaused, { connectorId, origin, forMs });
  };

  const pausing =
    (connectorId: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
    async (input, init) => {
      const { origin } = new URL(input instanceof Request ? input.url : input);
      const key = keyOf(connectorId, origin);
      const signal = init?.signal ?? undefined;
      // Another pause may begin during this wait.
      for (let left = leftOf(key); left > 0; left = leftOf(key)) {
        if (left > LONGEST_WAIT_MS) {
          return new Response(null, { status: 429, headers: { 'retry-after': String(Math.ceil(left / 1_000)) } });
        }
        await wait(left, undefined, signal === undefined ? {} : { signal });
      }
      const response = await fetch(input, init);
      note(connectorId, origin, response);
      return response;
    };

  const guard = (connectorId: string, egress: EgressGuard): EgressGuard => ({
    fetch: pausing(connectorId, egress.fetch),
    httpAgent: egress.httpAgent,
    httpsAgent: egress.httpsAgent,
    connect: (to) => egress.connect(to),
    trusting: (origins) => guard(connectorId, egress.trusting(origins)),
    close: () => egress.close(),
  });

  return { guard, close: stop };
}
