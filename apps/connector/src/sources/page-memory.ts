import { createHash } from 'node:crypto';
import type { PageMemory } from '@lectern/connectors';
import type { PrismaClient } from '#gen/prisma/client';
import { clean } from '#sync/store/storable';

/** Pages per statement. A crash loses at most these, which are then read again. */
const BATCH = 25;

/** Twice what one crawl can read. A site whose URLs change with each crawl must not fill the database. */
const MAX_ROWS = 20_000;

const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex');

/** Keeps what crawls of a connector remember in the database. */
export function createPageMemory(db: PrismaClient, connectorId: string): PageMemory {
  const pending = new Map<string, unknown>();
  /** The pages with a row, so that a first crawl asks for none. */
  let known: Promise<ReadonlySet<string>> | undefined;

  /** Removes rows stored before a time, and the oldest ones beyond the limit. */
  const trim = (before: Date): Promise<number> => db.$executeRaw`
    DELETE FROM crawled_pages WHERE connector_id = ${connectorId} AND (stored_at < ${before} OR url_hash IN (
      SELECT url_hash FROM crawled_pages WHERE connector_id = ${connectorId}
      ORDER BY stored_at DESC, url_hash OFFSET ${MAX_ROWS}))`;

  const readKnown = async (): Promise<ReadonlySet<string>> => {
    // A crawl that fails does not reach its end, where rows are removed.
    await trim(new Date(0));
    const rows = await db.crawledPage.findMany({ where: { connectorId }, select: { urlHash: true } });
    return new Set(rows.map(({ urlHash }) => urlHash));
  };

  const flush = async (): Promise<void> => {
    const rows = [...pending].map(([hash, page]) => ({ hash, page }));
    pending.clear();
    if (rows.length === 0) return;
    const json = JSON.stringify(rows, (_, part: unknown) => (typeof part === 'string' ? clean(part) : part));
    // The connector may have been deleted in the meantime, and two crawls may read the same page.
    await db.$executeRaw`
      INSERT INTO crawled_pages (connector_id, url_hash, page, stored_at)
      SELECT connectors.id, row.hash, row.page, now()
      FROM jsonb_to_recordset(${json}::jsonb) AS row (hash text, page jsonb)
      JOIN connectors ON connectors.id = ${connectorId}
      ORDER BY row.hash
      ON CONFLICT (connector_id, url_hash) DO UPDATE SET page = excluded.page, stored_at = excluded.stored_at`;
  };

  return {
    find: async (url) => {
      const urlHash = hashOf(url);
      known ??= readKnown().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      if (!(await known).has(urlHash)) return undefined;
      const key = { connectorId, urlHash };
      const row = await db.crawledPage.findUnique({ where: { connectorId_urlHash: key }, select: { page: true } });
      return row?.page;
    },
    store: async (url, page) => {
      pending.set(hashOf(url), page);
      if (pending.size >= BATCH) await flush();
    },
    forget: async (before) => {
      await flush();
      await trim(before);
      known = undefined;
    },
  };
}

/** For settings that are only tried. */
export const NO_PAGES: PageMemory = {
  find: async () => undefined,
  store: async () => undefined,
  forget: async () => undefined,
};
