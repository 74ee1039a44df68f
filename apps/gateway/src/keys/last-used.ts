import type { Logger, Running } from '@lectern/service-kit';
import { repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

const MAX_PAIRS = 10_000;

/** Records when pairs are used and stores it in batches. */
export interface LastUsed {
  note(pairId: string): void;
  /** The last use that is not stored yet. */
  peek(pairId: string): Date | undefined;
  /** Stores the recorded uses. */
  flush(): Promise<void>;
  /** Flushes periodically. */
  start(log: Logger, intervalMs: number): Running;
}

export function createLastUsed(db: PrismaClient): LastUsed {
  let noted = new Map<string, number>();
  const flush = async () => {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    const ids = [...batch.keys()];
    const times = [...batch.values()].map((time) => new Date(time));
    try {
      await db.$executeRaw`UPDATE key_pairs AS pair SET last_used_at = used.at
        FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used(id, at)
        WHERE pair.id = used.id AND (pair.last_used_at IS NULL OR pair.last_used_at < used.at)`;
    } catch (error) {
      // Store them with the next flush, unless a later use was recorded meanwhile.
      for (const [id, time] of batch) if (!noted.has(id) && noted.size < MAX_PAIRS) noted.set(id, time);
      throw error;
    }
  };
  return {
    note: (pairId) => {
      if (noted.size < MAX_PAIRS || noted.has(pairId)) noted.set(pairId, Date.now());
    },
    peek: (pairId) => {
      const time = noted.get(pairId);
      return time === undefined ? undefined : new Date(time);
    },
    flush,
    start: (log, intervalMs) => {
      const loop = repeat({ name: 'last use of keys', intervalMs, log }, flush);
      return {
        stop: async () => {
          await loop.stop();
          await flush().catch((err: unknown) => log.warn({ err }, 'could not store the last use of keys'));
        },
      };
    },
  };
}
