import type { QdrantConnection } from '#connection/qdrant-connection';
import type { PassagePayload } from '#layout/passage';
import { scopedFilterOf } from '#read/scoped-request';
import { ScopedFilter } from '#scope/scoped-filter';
import { findCandidates } from '#search/find-candidates';
import { type DocumentCandidates, groupByDocument } from '#search/group-by-document';
import { legsOf } from '#search/legs';
import { readPassages, type ScoredPassage } from '#search/read-passages';
import type { DocumentHit, LegScores, PassageHit, SearchRequest, SearchResult } from '#search/search-request';

const NO_HITS: SearchResult = { hits: [], ranking: [], total: 0, totalIsExact: true };

/**
 * Two requests a search: one ranks passages by id alone, the other reads the few that the page shows. That is less to transfer than the texts of all
 * candidates, and gives the score of each leg.
 */
export async function search(
  connection: QdrantConnection,
  collection: string,
  request: SearchRequest,
): Promise<SearchResult> {
  const { signal, offset, limit, passagesPerDocument } = request;
  const filter = scopedFilterOf(request);
  const legs = legsOf(request);
  if (filter.reachesNothing || legs.length === 0) return NO_HITS;

  const candidates = await findCandidates(connection, collection, { legs, filter, limit: request.candidates, signal });
  const documents = groupByDocument(candidates);
  const page = documents
    .slice(offset, offset + limit)
    .map(({ document, passages }) => ({ document, passages: passages.slice(0, passagesPerDocument) }));
  const ids = page.flatMap(({ passages }) => passages.map(({ id }) => id));
  const scope = ScopedFilter.within(request);
  const stored = await readPassages(connection, collection, { legs, filter: scope, ids, signal });
  return {
    hits: page.flatMap((entry) => toHit(entry, stored)),
    ranking: documents.map(({ document, passages }) => ({ document, score: passages[0]?.score ?? 0 })),
    total: documents.length,
    totalIsExact: candidates.length < request.candidates,
  };
}

/** No hit where all its passages were deleted since they were ranked. */
function toHit({ document, passages }: DocumentCandidates, stored: ReadonlyMap<string, ScoredPassage>): DocumentHit[] {
  const found = passages.flatMap(({ id, score }) => {
    const passage = stored.get(id);
    return passage ? [{ ...passage, score }] : [];
  });
  const [best] = found;
  if (!best) return [];
  return [
    {
      document,
      score: best.score,
      scores: found.map(({ scores }) => scores).reduce(bestOf),
      passages: found.map(({ payload, score }) => toPassageHit(payload, score)),
      payload: best.payload,
    },
  ];
}

function toPassageHit({ chunk, heading, text, start, end }: PassagePayload, score: number): PassageHit {
  return { chunk, heading, text, start, end, score };
}

function bestOf(a: LegScores, b: LegScores): LegScores {
  return { ...best('keyword', a, b), ...best('semantic', a, b) };
}

function best(leg: keyof LegScores, a: LegScores, b: LegScores): LegScores {
  const score = Math.max(a[leg] ?? Number.NEGATIVE_INFINITY, b[leg] ?? Number.NEGATIVE_INFINITY);
  return Number.isFinite(score) ? { [leg]: score } : {};
}
