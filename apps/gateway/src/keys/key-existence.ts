import { createBatcher } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { hashKey } from '#keys/format';

/** Keys per query. */
const MAX_KEYS = 1_000;

/** True if a key exists, including revoked keys, a session, a user token or a token of an app. */
export type KeyExistence = (key: string) => Promise<boolean>;

/**
 * Checks keys from addresses that have sent too many invalid keys, because valid keys must keep
 * working there. One query at a time checks all waiting keys, so invalid keys cost little.
 */
export function createKeyExistence(db: PrismaClient): KeyExistence {
  return createBatcher<string, boolean>({
    maxWeight: MAX_KEYS,
    work: async (keys) => {
      const hashes = keys.map(hashKey);
      const rows = await db.$queryRaw<{ hash: Uint8Array }[]>`
        SELECT hash FROM api_keys WHERE hash = ANY(${hashes})
        UNION ALL SELECT token_hash FROM sessions WHERE token_hash = ANY(${hashes})
        UNION ALL SELECT token_hash FROM user_tokens WHERE token_hash = ANY(${hashes})
        UNION ALL SELECT token_hash FROM app_tokens WHERE token_hash = ANY(${hashes})`;
      const found = new Set(rows.map(({ hash }) => Buffer.from(hash).toString('latin1')));
      return hashes.map((hash) => found.has(hash.toString('latin1')));
    },
  });
}
