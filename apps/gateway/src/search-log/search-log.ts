import { createHmac, randomBytes } from 'node:crypto';
import { type Logger, newId, type Running, repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { normalizeQuery } from '#search-log/normalize-query';

/** The maximum number of searches, and of clicks, in memory. Further ones are not recorded. */
const MAX_PENDING = 10_000;
const MAX_COLLECTIONS = 100;
const MAX_CLICKED_RANKS = 20;
const FLUSH_MS = 2_000;
/** Clicks wait until every replica has stored the searches that they belong to. */
const CLICK_DELAY_MS = 3 * FLUSH_MS;
const DAY_MS = 86_400_000;

/** A finished search. */
export interface FinishedSearch {
  readonly teamId: string;
  readonly query: string;
  readonly total: number;
  readonly narrowed: boolean;
  readonly collections: readonly string[];
  /** What identifies the person during a day. Undefined for programs, whose searches never collapse. */
  readonly person: string | undefined;
  /** True for a signed-in person. */
  readonly isMember: boolean;
}

interface PendingSearch extends FinishedSearch {
  readonly id: string;
  readonly at: number;
}

interface PendingClick {
  readonly teamId: string;
  readonly id: string;
  readonly rank: number;
  readonly at: number;
}

/** Records what people search for and open. Never delays or fails a request. */
export interface SearchLog {
  /** Returns the id that clicks name. Null if nothing is recorded. */
  search(search: FinishedSearch): string | null;
  click(teamId: string, id: string, rank: number): void;
  /** Stores the searches that can no longer be continued by typing, and the clicks on stored searches. */
  flush(): Promise<void>;
  /** Flushes periodically, and completely when stopped. */
  start(log: Logger): Running;
}

/** Returns true if one query is the beginning of the other, as while typing or deleting. */
const continues = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

/** Creates the log. `now` returns milliseconds since 1970. */
export function createSearchLog(
  db: PrismaClient,
  options: { readonly isOff: boolean; readonly collapseMs: number; readonly now?: () => number },
): SearchLog {
  const { isOff, collapseMs, now = Date.now } = options;
  let searches = new Map<string, PendingSearch>();
  let clicks: PendingClick[] = [];
  /** The id of each person's last pending search. */
  const lastOf = new Map<string, string>();
  const hash = createVisitorHash(db);

  const storeSearches = async (isReady: (at: number) => boolean) => {
    const ready = [...searches.values()].filter(({ at }) => isReady(at));
    if (ready.length === 0) return;
    const rows = await Promise.all(
      ready.map(async ({ id, teamId, query, total, narrowed, collections, person, isMember, at }) => ({
        id,
        teamId,
        query,
        total,
        narrowed,
        collections: [...collections],
        isMember,
        visitor: person === undefined ? null : await hash(at, `${teamId} ${person}`),
        createdAt: new Date(at),
      })),
    );
    // A batch whose response was lost can be stored twice.
    await db.searchRecord.createMany({ data: rows, skipDuplicates: true });
    for (const { id, person, teamId } of ready) {
      searches.delete(id);
      const key = `${teamId} ${person}`;
      if (lastOf.get(key) === id) lastOf.delete(key);
    }
  };

  const storeClicks = async (isReady: (at: number) => boolean) => {
    const ready = clicks.filter(({ at }) => isReady(at));
    if (ready.length === 0) return;
    await db.$executeRaw`
      UPDATE search_records AS known SET clicked_ranks = (
        SELECT array_agg(rank ORDER BY rank) FROM (
          SELECT DISTINCT rank FROM unnest(known.clicked_ranks || added.ranks) AS both_ranks(rank)
          ORDER BY rank LIMIT ${MAX_CLICKED_RANKS}::int
        ) AS ranks)
      FROM (
        SELECT id, team, array_agg(rank) AS ranks
        FROM jsonb_to_recordset(${JSON.stringify(ready.map(({ id, teamId, rank }) => ({ id, team: teamId, rank })))}::jsonb)
          AS click(id text, team text, rank int)
        GROUP BY id, team
      ) AS added
      WHERE known.id = added.id AND known.team_id = added.team`;
    const stored = new Set(ready);
    clicks = clicks.filter((click) => !stored.has(click));
  };

  let running = Promise.resolve();
  const store = (searchMs: number, clickMs: number): Promise<void> => {
    const next = running
      .catch(() => undefined)
      .then(async () => {
        const time = now();
        await storeSearches((at) => at <= time - searchMs);
        await storeClicks((at) => at <= time - clickMs);
      });
    running = next;
    return next;
  };
  const flush = () => store(collapseMs, collapseMs + CLICK_DELAY_MS);

  return {
    search: ({ person, collections, ...rest }) => {
      const query = normalizeQuery(rest.query);
      if (isOff || query === '') return null;
      const at = now();
      const key = `${rest.teamId} ${person}`;
      const last = person === undefined ? undefined : searches.get(lastOf.get(key) ?? '');
      if (last !== undefined && at - last.at < collapseMs && continues(query, last.query)) searches.delete(last.id);
      if (searches.size >= MAX_PENDING) return null;
      const id = newId('search');
      searches.set(id, { ...rest, id, query, person, at, collections: collections.slice(0, MAX_COLLECTIONS) });
      if (person !== undefined) lastOf.set(key, id);
      return id;
    },
    click: (teamId, id, rank) => {
      if (!isOff && clicks.length < MAX_PENDING) clicks.push({ teamId, id, rank, at: now() });
    },
    flush,
    start: (log) => {
      const loop = repeat({ name: 'search analytics', intervalMs: FLUSH_MS, log }, flush);
      return {
        stop: async () => {
          await loop.stop();
          await store(0, 0).catch((err: unknown) => log.warn({ err }, 'could not store the last searches'));
          searches = new Map();
        },
      };
    },
  };
}

/** Hashes people with a random salt per day, which is deleted after the day (`purgeSearches`). */
function createVisitorHash(db: PrismaClient): (at: number, person: string) => Promise<string> {
  let known: { readonly day: number; readonly salt: Promise<Uint8Array> } | undefined;
  const readSalt = async (day: number): Promise<Uint8Array> => {
    const date = new Date(day * DAY_MS);
    await db.searchSalt.createMany({ data: [{ day: date, salt: randomBytes(32) }], skipDuplicates: true });
    return (await db.searchSalt.findUniqueOrThrow({ where: { day: date } })).salt;
  };
  return async (at, person) => {
    const day = Math.floor(at / DAY_MS);
    if (known?.day !== day) known = { day, salt: readSalt(day) };
    try {
      return createHmac('sha256', await known.salt)
        .update(person)
        .digest('base64url')
        .slice(0, 22);
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
}
