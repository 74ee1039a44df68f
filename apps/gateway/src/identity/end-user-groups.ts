import { createCache } from '@lectern/resilience';
import { databaseErrorCode } from '@lectern/service-kit';
import { withDeadline } from '#deadline';
import type { Prisma } from '#gen/prisma/client';
import { groupsOf } from '#identity/group-store';

/** A change takes effect within 5 s, like that of a session. */
const TTL_MS = 4_000;
const DEADLINE_MS = 2_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly groups: readonly string[];
  readonly readAt: number;
}

/** Finds the groups of end users whom a key names (X-Service-User). */
export interface EndUserGroups {
  /** Returns the principals of the person's groups. Empty if the address is unknown in the team. */
  find(teamId: string, email: string): Promise<readonly string[]>;
}

async function read(db: Prisma.TransactionClient, teamId: string, email: string): Promise<readonly string[]> {
  const where = { teamId, email, status: 'active' } as const;
  const person = await db.person.findFirst({ where, select: { id: true } });
  return person === null ? [] : (await groupsOf(db, [person.id]))(person.id).principals;
}

/**
 * Creates the cache. While the database is unavailable, it returns the last known groups for
 * `staleMs`, and then none: the end user finds less, but keys keep working.
 */
export function createEndUserGroups(db: Prisma.TransactionClient, staleMs: number): EndUserGroups {
  const known = createCache<string, Entry>({ maxEntries: MAX_ENTRIES });
  return {
    find: async (teamId, email) => {
      const id = `${teamId} ${email}`;
      const last = known.get(id);
      const startedAt = Date.now();
      if (last !== undefined && startedAt - last.readAt < TTL_MS) return last.groups;
      try {
        const createError = () => Object.assign(new Error('The query took too long.'), { code: 'SocketTimeout' });
        const groups = await withDeadline(read(db, teamId, email), DEADLINE_MS, createError);
        known.set(id, { groups, readAt: startedAt });
        return groups;
      } catch (error) {
        if (databaseErrorCode(error) === undefined) throw error;
        return last !== undefined && startedAt - last.readAt < staleMs ? last.groups : [];
      }
    },
  };
}
