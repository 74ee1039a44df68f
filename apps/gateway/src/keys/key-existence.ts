import { createBatcher } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { hashKey } from '#keys/format';

/** Keys that one query asks for. */
const MAX_KEYS = 1_000;

/** True where a key exists, revoked or not. */
export type KeyExistence = (key: string) => Promise<boolean>;

/**
 * Looks keys up for addresses that have presented too many invalid ones: a valid key must work there all the same. One query is at work at a
 * time, for all the keys that came meanwhile, so it costs little however many are made up.
 */
export function createKeyExistence(db: PrismaClient): KeyExistence {
  return createBatcher<string, boolean>({
    maxWeight: MAX_KEYS,
    work: async (keys) => {
      const hashes = keys.map(hashKey);
      const rows = await db.apiKey.findMany({ where: { hash: { in: hashes } }, select: { hash: true } });
      const found = new Set(rows.map(({ hash }) => Buffer.from(hash).toString('latin1')));
      return hashes.map((hash) => found.has(hash.toString('latin1')));
    },
  });
}
