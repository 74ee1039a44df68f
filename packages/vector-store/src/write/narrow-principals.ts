import { AppError } from '@lectern/service-kit';
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

const stored = z.object({ payload: z.object({ principals: z.array(z.string()) }) });

/** More different lists of readers than the old versions of one document have. */
const MAX_LISTS = 1_000;

/**
 * Takes read access to a document's older versions from all but these principals. No one gains access:
 * an old version can contain what was removed before the document got more readers. Writes only if a
 * reader loses access.
 */
export async function narrowPrincipals(
  connection: QdrantConnection,
  collection: string,
  { team, document, beforeVersion, principals, signal }: NarrowPrincipals,
): Promise<void> {
  const allowed = new Set(principals);
  const older = ScopedFilter.within({ team }).and(equals('document', document), {
    key: 'version',
    range: { lt: beforeVersion },
  });
  for (let at = 0; at < MAX_LISTS; at += 1) {
    const filter = older.and(hasOtherThan(principals)).toQdrant();
    const page = { filter, limit: 1, with_payload: ['principals'] };
    const { points } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
      signal,
      ifMissing: () => ({ points: [], next_page_offset: null }),
    });
    const [point] = points;
    if (point === undefined) return;
    const readers = stored.parse(point).payload.principals;
    const kept = readers.filter((principal) => allowed.has(principal));
    // Only points that still have this list, because others may have fewer readers in the meantime.
    const same = older.and(...hasExactly(readers)).toQdrant();
    const operations = [{ set_payload: { payload: { principals: kept }, filter: same } }];
    await connection.write('set principals', REQUESTS.change(collection, operations), {
      signal,
      ifMissing: () => undefined,
    });
  }
  throw new AppError('internal_error', `The readers of older versions of ${document} keep changing.`);
}

function hasOtherThan(principals: readonly string[]): Condition {
  return principals.length === 0
    ? { must_not: [{ is_empty: { key: 'principals' } }] }
    : { key: 'principals', match: { except: [...principals] } };
}

/** @param principals a list without duplicates that is not empty */
function hasExactly(principals: readonly string[]): Condition[] {
  const count = principals.length;
  return [{ key: 'principals', values_count: { gte: count, lte: count } }, { must_not: [hasOtherThan(principals)] }];
}
