import { setTimeout as wait } from 'node:timers/promises';
import { retryTime } from '@lectern/connectors';
import type { EgressGuard } from '@lectern/egress';
import { type Messaging, sourcePaused } from '@lectern/messaging';
import { createCache } from '@lectern/resilience';

/**
 * The longest pause that a request waits for. A longer one ends the request, and the connector
 * stores it (sync/store/sync-state.ts).
 */
const MAX_WAIT_MS = 2_000;
/**
 * The longest pause kept in memory. It covers the time until every worker has read the stored one.
 */
const MAX_PAUSE_MS = 10_000;
const MAX_PAUSES = 10_000;

const PAUSE_STATUSES: ReadonlySet<number> = new Set([403, 429, 503, 529]);

/**
 * The pauses that sources have requested, across all processes. No worker calls a server before its
 * pause ends.
 */
export interface RatePauses {
  /** Returns the guard of a connector. Its requests wait for the pauses of their server. */
  guard(connectorId: string, egress: EgressGuard): EgressGuard;
  close(): void;
}

export function createRatePauses(messaging: Messaging): RatePauses {
  /** End of each pause, in milliseconds since the epoch. */
  const pauses = createCache<string, number>({ maxEntries: MAX_PAUSES });
  const keyOf = (connectorId: string, origin: string) => `${connectorId} ${origin}`;

  const store = (connectorId: string, origin: string, requestedUntil: number) => {
    const key = keyOf(connectorId, origin);
    const until = Math.min(requestedUntil, Date.now() + MAX_PAUSE_MS);
    if (until > Math.max(Date.now(), pauses.get(key) ?? 0)) pauses.set(key, until);
  };
  // Clocks differ between machines, so the event carries the remaining duration.
  const unsubscribe = messaging.listen(sourcePaused, [], ({ connectorId, origin, forMs }) =>
    store(connectorId, origin, Date.now() + forMs),
  );

  const remainingMs = (key: string): number => Math.max(0, (pauses.get(key) ?? 0) - Date.now());

  const readPause = (connectorId: string, origin: string, response: Response) => {
    if (!PAUSE_STATUSES.has(response.status)) return;
    if (response.status !== 429 && !response.headers.has('retry-after')) return;
    const until = retryTime(response.headers).getTime();
    const forMs = until - Date.now();
    if (forMs <= 0) return;
    store(connectorId, origin, until);
    messaging.announce(sourcePaused, { connectorId, origin, forMs });
  };

  const pausing =
    (connectorId: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
    async (input, init) => {
      const { origin } = new URL(input instanceof Request ? input.url : input);
      const key = keyOf(connectorId, origin);
      const signal = init?.signal ?? undefined;
      // Another pause may begin during this wait.
      for (let leftMs = remainingMs(key); leftMs > 0; leftMs = remainingMs(key)) {
        if (leftMs > MAX_WAIT_MS) {
          return new Response(null, { status: 429, headers: { 'retry-after': String(Math.ceil(leftMs / 1_000)) } });
        }
        await wait(leftMs, undefined, signal === undefined ? {} : { signal });
      }
      const response = await fetch(input, init);
      readPause(connectorId, origin, response);
      return response;
    };

  const guard = (connectorId: string, egress: EgressGuard): EgressGuard => ({
    fetch: pausing(connectorId, egress.fetch),
    fetchWithinOrigin: pausing(connectorId, egress.fetchWithinOrigin),
    httpAgent: egress.httpAgent,
    httpsAgent: egress.httpsAgent,
    connect: (to) => egress.connect(to),
    trusting: (origins) => guard(connectorId, egress.trusting(origins)),
    close: () => egress.close(),
  });

  return { guard, close: unsubscribe };
}
