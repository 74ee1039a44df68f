import { EventServiceDefinition, type PullEventsRequest, type SetInterestsRequest } from '@lectern/contracts';
import {
  type Logger,
  observe,
  type Running,
  repeat,
  requireBackgroundWork,
  type ServedService,
  type ServiceCall,
  serve,
} from '@lectern/service-kit';
import type { EventDatabase } from '#database';
import { deleteExpired, deleteStored, measure, readWaiting, storeInterests } from '#outbox';

/** The most events of one response. With the maximum size of each, a response stays below 64 MiB. */
const MAX_EVENTS = 500;
const EXPIRE_MS = 60_000;
/** Counting all of a long queue would be slow. */
const MAX_COUNTED = 100_000;

/** The gRPC service with which the gateway fetches the events of a service. */
export function eventService(db: EventDatabase): ServedService {
  return serve(EventServiceDefinition, {
    pullEvents: async ({ storedIds, limit }: PullEventsRequest, { caller }: ServiceCall) => {
      requireBackgroundWork(caller);
      await deleteStored(db, storedIds);
      const events = await readWaiting(db, Math.min(Math.max(limit, 1), MAX_EVENTS));
      return { events: events.map(({ webhookId, ...event }) => ({ ...event, webhookId: webhookId ?? undefined })) };
    },
    setInterests: async ({ interests }: SetInterestsRequest, { caller }: ServiceCall) => {
      requireBackgroundWork(caller);
      await storeInterests(db, interests);
      return {};
    },
  });
}

/** Measures the waiting events, and deletes those that the gateway does not fetch. */
export function maintainEvents(db: EventDatabase, log: Logger): Running {
  const stops = [
    observe('lectern_events_waiting', 'Events that the gateway has not fetched from this service', async () => [
      [(await measure(db, MAX_COUNTED)).count, {}],
    ]),
    observe('lectern_events_oldest_seconds', 'Age of the oldest event that the gateway has not fetched', async () => [
      [(await measure(db, 1)).oldestSeconds, {}],
    ]),
  ];
  const expiry = repeat({ name: 'events', intervalMs: EXPIRE_MS, log }, async () => {
    const deleted = await deleteExpired(db);
    if (deleted > 0) log.error({ events: deleted }, 'deleted events that the gateway has not fetched for two days');
  });
  return {
    stop: async () => {
      for (const stop of stops) stop();
      await expiry.stop();
    },
  };
}
