import { createCache } from '@lectern/resilience';
import type { Logger } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { normalizeQuery } from '#search-log/normalize-query';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 30;
/** The queries of a team that are kept, most frequent first. */
const MAX_QUERIES = 200;
const MAX_TEAMS = 500;
const REFRESH_MS = 600_000;
const MAX_SUGGESTED = 20;

/** What several people searched for lately, and found. */
export interface PopularQueries {
  /**
   * Returns the most frequent queries of a team with a word that begins with the text typed so far.
   * Never waits for the database: the list is read in the background, so the first calls return none.
   */
  startingWith(teamId: string, typed: string): readonly string[];
}

/**
 * Reads what signed-in people searched for. On one day, `minPeople` of them must have searched for the
 * same, so that a suggestion does not reveal what one person typed. People are known for one day only.
 */
async function readPopular(db: PrismaClient, teamId: string, minPeople: number): Promise<readonly string[]> {
  const from = new Date(Date.now() - PERIOD_DAYS * DAY_MS);
  const rows = await db.$queryRaw<{ readonly query: string }[]>`
    SELECT query FROM (
      SELECT query, count(*) AS searches, count(DISTINCT visitor) AS people, max(created_at) AS last_at,
        (array_agg(total ORDER BY created_at DESC, id DESC))[1] AS last_total
      FROM search_records WHERE team_id = ${teamId} AND created_at >= ${from} AND is_member
      GROUP BY query, (created_at AT TIME ZONE 'UTC')::date
    ) AS days
    GROUP BY query
    HAVING max(people) >= ${minPeople} AND (array_agg(last_total ORDER BY last_at DESC))[1] > 0
    ORDER BY sum(searches) DESC, query LIMIT ${MAX_QUERIES}`;
  return rows.map(({ query }) => query);
}

/** Creates the lists of popular queries. */
export function createPopularQueries(db: PrismaClient, minPeople: number, log: Logger): PopularQueries {
  const lists = createCache<string, { readonly queries: readonly string[]; readonly readAt: number }>({
    maxEntries: MAX_TEAMS,
  });
  const reading = new Set<string>();
  const refresh = async (teamId: string) => {
    if (reading.has(teamId)) return;
    reading.add(teamId);
    try {
      lists.set(teamId, { queries: await readPopular(db, teamId, minPeople), readAt: Date.now() });
    } catch (err) {
      log.warn({ err }, 'could not read popular queries; suggestions have none or earlier ones');
    } finally {
      reading.delete(teamId);
    }
  };
  return {
    startingWith(teamId, typed) {
      const list = lists.get(teamId);
      if (list === undefined || Date.now() - list.readAt > REFRESH_MS) void refresh(teamId);
      const text = normalizeQuery(typed);
      if (text === '' || list === undefined) return [];
      const starts = (query: string) => query.startsWith(text) || query.includes(` ${text}`);
      return list.queries.filter((query) => query !== text && starts(query)).slice(0, MAX_SUGGESTED);
    },
  };
}
