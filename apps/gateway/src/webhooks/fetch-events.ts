import { randomUUID } from 'node:crypto';
import type { EventSource } from '@lectern/contracts';
import { type Logger, type Running, repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { forAllTeams } from '#pipeline/for-all-teams';
import { type EventClients, renewInterests, SOURCES, sendInterests } from '#webhooks/interests';
import { releaseLease, takeLease } from '#webhooks/lease';
import { storeEvents } from '#webhooks/store-events';

export interface FetchContext {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly clients: EventClients;
  /** The most events that wait for a webhook. */
  readonly maxPending: number;
  readonly now: () => Date;
}

const POLL_MS = 1_000;
const BATCH = 500;
/** Longer than the deadline of a call, so that two replicas do not fetch at the same time. */
const LEASE_MS = 30_000;
/** Batches of one service before another one has its turn. */
const MAX_BATCHES = 20;
/** How often the interests of all teams are renewed, in case a service was restored from a backup. */
const RENEW_MS = 60_000;

/**
 * Fetches the events of a service and stores them. The service deletes an event only after the next call
 * reports that it is stored, so a process can die at any moment. Returns the number of events.
 */
async function fetchFrom(ctx: FetchContext, source: EventSource, signal: AbortSignal): Promise<number> {
  const { clients, db, maxPending, now } = ctx;
  let storedIds: string[] = [];
  let count = 0;
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
    const { events } = await clients[source].pullEvents({ storedIds, limit: BATCH }, forAllTeams(signal));
    storedIds = [];
    if (events.length === 0) break;
    await storeEvents(db, events, { now: now(), maxPending });
    storedIds = events.map(({ id }) => id);
    count += events.length;
  }
  if (storedIds.length > 0) await clients[source].pullEvents({ storedIds, limit: 1 }, forAllTeams(signal));
  return count;
}

/**
 * Fetches the events of all services until it is stopped. One replica does this at a time, so that the
 * events of a resource stay in order. Without webhooks, no service is called.
 */
export function startFetching(ctx: FetchContext): Running {
  const { db, log } = ctx;
  const holder = randomUUID();
  let renewedAt = 0;
  const loop = repeat({ name: 'webhook events', intervalMs: POLL_MS, log }, async (signal) => {
    if ((await db.webhookInterest.findFirst({ select: { teamId: true } })) === null) return;
    if (!(await takeLease(db, 'events', holder, LEASE_MS))) return;
    if (Date.now() - renewedAt > RENEW_MS) {
      await renewInterests(db);
      renewedAt = Date.now();
    }
    await sendInterests(ctx, ctx.clients, signal);
    await Promise.all(
      SOURCES.map((source) =>
        fetchFrom(ctx, source, signal).catch((err: unknown) => {
          if (!signal.aborted) log.warn({ err, service: source }, 'could not fetch events; will retry');
        }),
      ),
    );
  });
  return {
    stop: async () => {
      await loop.stop();
      await releaseLease(db, 'events', holder).catch(() => undefined);
    },
  };
}
