import type { QdrantConnection } from '#connection/qdrant-connection';
import type { PassagePayload } from '#layout/passage';
import { scopedFilterOf } from '#read/scoped-request';
import { ScopedFilter } from '#scope/scoped-filter';
import { type FusionSettings, fuse } from '#search/fuse';
import { type DocumentCandidates, groupByDocument } from '#search/group-by-document';
import { legsOf } from '#search/legs';
import { type Filters, isLeg, isProbe, probeLegs, readProbes } from '#search/probes';
import { readPassages } from '#search/read-passages';
import { runLegs } from '#search/run-legs';
import type {
  DocumentHit,
  LegScores,
  PassageHit,
  Probes,
  RankedDocuments,
  RankRequest,
  SearchRequest,
  SearchResult,
} from '#search/search-request';

const NO_PROBES: Probes = { words: [], areWordsCutOff: false, wordsInScope: [], nearest: [], strongest: [] };
const NOTHING: RankedDocuments = { ranking: [], totalIsExact: true, probes: NO_PROBES, read: async () => [] };

/**
 * Ranks passages in all legs, and runs the probes, with one request, without reading payloads. The legs are fused here
 * because neither of Qdrant's fusions measured as well. Only the passages of the documents passed to
 * `read` are read, which transfers less than the texts of all candidates.
 */
export async function rank(
  connection: QdrantConnection,
  collection: string,
  request: RankRequest,
): Promise<RankedDocuments> {
  const { signal, candidates } = request;
  const filters = filtersOf(request);
  const legs = legsOf(request, filters.filter).map((leg) => ({ ...leg, limit: candidates }));
  if (filters.filter.matchesNothing || legs.length === 0) return NOTHING;

  const found = await runLegs(connection, collection, { legs: [...legs, ...probeLegs(request, filters)], signal });
  const rankings = found.filter(isLeg);
  const probes = readProbes(request, filters, rankings, found.filter(isProbe));
  const documents = groupByDocument(fuse(rankings, fusionOf(request)));
  const byId = new Map([...foundByWords(probes), ...documents].map((candidates) => [candidates.document, candidates]));
  return {
    ranking: documents.map(({ document, passages }) => ({ document, score: passages[0]?.score ?? 0 })),
    totalIsExact: !rankings.some(({ isCutOff }) => isCutOff),
    probes,
    read: async (ids, passagesPerDocument) => {
      const page = ids
        .flatMap((id) => byId.get(id) ?? [])
        .map(({ document, passages }) => ({ document, passages: passages.slice(0, passagesPerDocument) }));
      const scope = ScopedFilter.within(request);
      const points = page.flatMap(({ passages }) => passages.map(({ id }) => id));
      const stored = await readPassages(connection, collection, { filter: scope, ids: points, signal });
      return page.flatMap((entry) => toHit(entry, stored));
    },
  };
}

function filtersOf(request: RankRequest): Filters {
  const { filter, only, except = [] } = request;
  const isNarrowed = filter !== undefined || only !== undefined || except.length > 0;
  return { scope: ScopedFilter.within(request), filter: scopedFilterOf(request), isNarrowed };
}

/** Returns the documents of the word probe. They have no score in the ranking. */
function foundByWords({ words }: Probes): DocumentCandidates[] {
  const candidates = words.map(({ id, document, score }) => ({ id, document, score: 0, scores: { keyword: score } }));
  return [...Map.groupBy(candidates, ({ document }) => document)].map(([document, passages]) => ({
    document,
    passages,
  }));
}

/** Ranks documents and reads one page of them. */
export async function search(
  connection: QdrantConnection,
  collection: string,
  request: SearchRequest,
): Promise<SearchResult> {
  const { offset, limit, passagesPerDocument } = request;
  const { ranking, totalIsExact, read } = await rank(connection, collection, request);
  const page = ranking.slice(offset, offset + limit).map(({ document }) => document);
  return { hits: await read(page, passagesPerDocument), ranking, total: ranking.length, totalIsExact };
}

/** Returns the fusion of a hybrid search. Other modes keep the scores of their leg. */
function fusionOf(request: RankRequest): FusionSettings | undefined {
  if (request.mode !== 'hybrid') return undefined;
  return { fusion: request.fusion ?? 'score', weights: request.weights ?? { keyword: 1, semantic: 1 } };
}

/** Returns no hit if all its passages were deleted since the ranking. */
function toHit({ document, passages }: DocumentCandidates, stored: ReadonlyMap<string, PassagePayload>): DocumentHit[] {
  const found = passages.flatMap(({ id, score, scores }) => {
    const payload = stored.get(id);
    return payload ? [{ payload, score, scores }] : [];
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
