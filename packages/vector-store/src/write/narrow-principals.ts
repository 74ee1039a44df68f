import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { type Condition, equals } from '#filter/conditions';
import { ScopedFilter } from '#scope/scoped-filter';

export interface NarrowPrincipals extends CallOptions {
  readonly team: string;
  readonly document: string;
  /** Only passages of older versions change. */
  readonly beforeVersion: number;
  /** Others lose read access. */
  readonly principals: readonly string[];
}

const readers = z.object({ payload: z.object({ version: z.int(), principals: z.array(z.string()) }) });

/** More old versions than interrupted indexings leave. */
const MAX_VERSIONS = 1_000;

/**
 * Takes read access to a document's older versions from all but these principals. No one gains access:
 * an old version can contain what was removed before the document got more readers. Writes only if
 * a reader loses access.
 */
export async function narrowPrincipals(
  connection: QdrantConnection,
  collection: string,
  { team, document, beforeVersion, principals, signal }: NarrowPrincipals,
): Promise<void> {
  const hasOthers: Condition =
    principals.length === 0
      ? { must_not: [{ is_empty: { key: 'principals' } }] }
      : { key: 'principals', match: { except: [...principals] } };
  const older = ScopedFilter.within({ team }).and(equals('document', document), {
    key: 'version',
    range: { lt: beforeVersion },
  });
  for (let at = 0; at < MAX_VERSIONS; at += 1) {
    const page = { filter: older.and(hasOthers).toQdrant(), limit: 1, with_payload: ['version', 'principals'] };
    const { points } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
      signal,
      ifMissing: () => ({ points: [], next_page_offset: null }),
    });
    const [point] = points;
    if (point === undefined) return;
    const { payload } = readers.parse(point);
    const kept = payload.principals.filter((principal) => principals.includes(principal));
    // All passages of a version have the same readers.
    const filter = older.and(equals('version', payload.version)).toQdrant();
    const operations = [{ set_payload: { payload: { principals: kept }, filter } }];
    await connection.write('set principals', REQUESTS.change(collection, operations), {
      signal,
      ifMissing: () => undefined,
    });
  }
}
