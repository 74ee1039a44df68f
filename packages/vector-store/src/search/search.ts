import type { QdrantConnection } from '#connection/qdrant-connection';
import type { PassagePayload } from '#layout/passage';
import { scopedFilterOf } from '#read/scoped-request';
import { ScopedFilter } from '#scope/scoped-filter';
import { type FusionSettings, fuse } from '#search/fuse';
import { groupByDocument } from '#search/group-by-document';
import { type Leg, legsOf } from '#search/legs';
import { type Filters, type ProbeName, probeLegs, readProbes } from '#search/probes';
import { readPassages } from '#search/read-passages';
import { type Ranking, runLegs } from '#search/run-legs';
import type {
  DocumentHit,
  HitsRequest,
  LegScores,
  PassageHit,
  Probes,
  RankedDocument,
  RankingResult,
  RankRequest,
  SearchRequest,
  SearchResult,
} from '#search/search-request';

const NO_PROBES: Probes = { words: [], areWordsCutOff: false, wordsInScope: [], nearest: [], strongest: [] };
const NO_RANKING: RankingResult = { ranking: [], isComplete: true, probes: NO_PROBES };

/**
 * Ranks documents by their passages with one request for all legs and probes, which reads no texts.
 * The legs are fused here because neither of Qdrant's fusions measured as well.
 */
export async function rank(
  connection: QdrantConnection,
  collection: string,
  request: RankRequest,
): Promise<RankingResult> {
  const { signal, candidates } = request;
  const filters = filtersOf(request);
  const legs = legsOf(request, filters.filter).map((leg) => ({ ...leg, limit: candidates }));
  const probes = probeLegs(request, filters);
  if (filters.filter.matchesNothing || legs.length === 0) return NO_RANKING;

  const found = await runLegs(connection, collection, { legs: [...legs, ...probes], signal });
  const rankings = found.filter(isLeg);
  return {
    ranking: groupByDocument(fuse(rankings, fusionOf(request))),
    isComplete: !rankings.some(({ isCutOff }) => isCutOff),
    probes: readProbes(request, filters, rankings, found.filter(isProbe)),
  };
}

/** Ranks documents and reads those of a page. */
export async function search(
  connection: QdrantConnection,
  collection: string,
  request: SearchRequest,
): Promise<SearchResult> {
  const { offset, limit } = request;
  const { ranking, isComplete } = await rank(connection, collection, request);
  const documents = ranking.slice(offset, offset + limit);
  const hits = await readHits(connection, collection, { ...request, documents });
  return { hits, total: ranking.length, totalIsExact: isComplete };
}

/**
 * Reads the passages of ranked documents in one request, which transfers less than the texts of all
 * candidates. Documents deleted since the ranking are left out.
 */
export async function readHits(
  connection: QdrantConnection,
  collection: string,
  { documents, passagesPerDocument, signal, ...within }: HitsRequest,
): Promise<DocumentHit[]> {
  const page = documents.map((ranked) => ({ ...ranked, passages: ranked.passages.slice(0, passagesPerDocument) }));
  const ids = page.flatMap(({ passages }) => passages.map(({ id }) => id));
  const stored = await readPassages(connection, collection, { filter: ScopedFilter.within(within), ids, signal });
  return page.flatMap((entry) => toHit(entry, stored));
}

function filtersOf(request: RankRequest): Filters {
  const { filter, only, except = [] } = request;
  const isNarrowed = filter !== undefined || only !== undefined || except.length > 0;
  return { scope: ScopedFilter.within(request), filter: scopedFilterOf(request), isNarrowed };
}

const PROBES: readonly string[] = ['words', 'wordsInScope', 'nearest', 'strongest'] satisfies ProbeName[];
const isProbe = (ranking: Ranking<Leg['name'] | ProbeName>): ranking is Ranking<ProbeName> =>
  PROBES.includes(ranking.name);
const isLeg = (ranking: Ranking<Leg['name'] | ProbeName>): ranking is Ranking => !isProbe(ranking);

/** Returns the fusion of a hybrid search. Other modes keep the scores of their leg. */
function fusionOf(request: RankRequest): FusionSettings | undefined {
  if (request.mode !== 'hybrid') return undefined;
  return { fusion: request.fusion ?? 'score', weights: request.weights ?? { keyword: 1, semantic: 1 } };
}

/** Returns no hit if all its passages were deleted since the ranking. */
function toHit(
  { document, score, passages }: RankedDocument,
  stored: ReadonlyMap<string, PassagePayload>,
): DocumentHit[] {
  const found = passages.flatMap(({ id, score, scores }) => {
    const payload = stored.get(id);
    return payload ? [{ payload, score, scores }] : [];
  });
  const [best] = found;
  if (!best) return [];
  return [
    {
      document,
      score,
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
