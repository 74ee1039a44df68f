import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import type { SparseVector } from '#layout/passage';
import { oneOf, type ScopedFilter } from '#scope/scoped-filter';
import { keywordLegs } from '#search/legs';
import type { FoundPassage } from '#search/search-request';

interface BestPassages extends CallOptions {
  readonly words: SparseVector;
  readonly scope: ScopedFilter;
  readonly documents: readonly string[];
  readonly passagesPerDocument: number;
}

const groupOfPassages = z.object({
  id: z.string(),
  hits: z.array(z.object({ id: z.string(), score: z.number() })),
});

/**
 * Returns the passages of each document with most of the words, best first, in one request: the scope
 * can name thousands of principals. A document without such a passage is missing.
 */
export async function findBestPassages(
  connection: QdrantConnection,
  collection: string,
  { words, scope, documents, passagesPerDocument, signal }: BestPassages,
): Promise<ReadonlyMap<string, readonly FoundPassage[]>> {
  const [leg] = documents.length === 0 ? [] : keywordLegs(words, scope.and(oneOf('document', documents)), scope);
  if (leg === undefined) return new Map();
  const request = {
    ...leg.query,
    filter: leg.filter,
    group_by: 'document',
    group_size: passagesPerDocument,
    limit: documents.length,
  };
  const { groups } = await connection.read('query groups', REQUESTS.queryGroups(collection, request), {
    signal,
    ifMissing: () => ({ groups: [] }),
  });
  return new Map(
    z
      .array(groupOfPassages)
      .parse(groups)
      .map(({ id: document, hits }) => [document, hits.map(({ id, score }) => ({ id, document, score }))]),
  );
}
