import type { Logger, Running } from '@lectern/service-kit';
import { repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

const MAX_IDS = 10_000;

/** Stores the last use of each id. */
type StoreUses = (ids: readonly string[], times: readonly Date[]) => Promise<unknown>;

/** Records when pairs or sessions are used and stores it in batches. */
export interface LastUsed {
  note(id: string): void;
  /** The last use that is not stored yet. */
  peek(id: string): Date | undefined;
  /** Stores the recorded uses. */
  flush(): Promise<void>;
  /** Flushes periodically. */
  start(log: Logger, intervalMs: number): Running;
}

/** Stores the last use of key pairs. */
export const storePairUses =
  (db: PrismaClient): StoreUses =>
  (ids, times) =>
    db.$executeRaw`UPDATE key_pairs AS pair SET last_used_at = used.at
      FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used(id, at)
      WHERE pair.id = used.id AND (pair.last_used_at IS NULL OR pair.last_used_at < used.at)`;

export function createLastUsed(store: StoreUses): LastUsed {
  let noted = new Map<string, number>();
  const flush = async () => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    const ids = [...batch.keys()];
    const times = [...batch.values()].map((time) => new Date(time));
    try {
      await store(ids, times);
    } catch (error) {
      // Store them with the next flush, unless a later use was recorded meanwhile.
      for (const [id, time] of batch) if (!noted.has(id) && noted.size < MAX_IDS) noted.set(id, time);
      throw error;
    }
  };
  return {
    note: (id) => {
      if (noted.size < MAX_IDS || noted.has(id)) noted.set(id, Date.now());
    },
    peek: (id) => {
      const time = noted.get(id);
      return time === undefined ? undefined : new Date(time);
    },
    flush,
    start: (log, intervalMs) => {
      const loop = repeat({ name: 'last use', intervalMs, log }, flush);
      return {
        stop: async () => {
          await loop.stop();
          await flush().catch((err: unknown) => log.warn({ err }, 'could not store the last use of keys and sessions'));
        },
      };
    },
  };
}
