import type { Schemas } from '@qdrant/js-client-rest';
import type { DocumentVectors } from '#connection/document-vectors';
import type { QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { SHOWN_FIELDS } from '#layout/passage';
import { scopedFilterOf } from '#read/scoped-request';
import { ScopedFilter } from '#scope/scoped-filter';
import { bestPassagesOf } from '#search/best-passages';
import { type FeedbackSearch, feedbackOf } from '#search/feedback';
import { type DocumentCandidate, type FusionSettings, fuse } from '#search/fuse';
import { legsOf } from '#search/legs';
import type { FormerPoints, Places } from '#search/places';
import { type Filters, isLeg, isProbe, probeLegs, readProbes } from '#search/probes';
import { readPage } from '#search/read-page';
import { passagesById, type ReadPassage, readPassages } from '#search/read-passages';
import { runLegs } from '#search/run-legs';
import type {
  DocumentHit,
  LegScores,
  PassageHit,
  Probes,
  RankedDocument,
  RankedDocuments,
  RankRequest,
  SearchRequest,
  SearchResult,
} from '#search/search-request';

const NO_PROBES: Probes = {
  words: [],
  areWordsCutOff: false,
  wordsInScope: [],
  documents: [],
  nearest: [],
  strongest: [],
};
const NOTHING: RankedDocuments = {
  ranking: [],
  probes: NO_PROBES,
  canChange: false,
  firstPassages: () => [],
  read: async () => new Map(),
  refine: async () => ({ ranking: [], hits: new Map() }),
};

/** What a store remembers between searches. */
export interface SearchMemory {
  readonly documentVectors: DocumentVectors;
  readonly formerPoints: FormerPoints;
}

/**
 * Ranks documents with one request for all legs and probes, without reading payloads. The legs are
 * fused here because neither of Qdrant's fusions measured as well. A second request compares the
 * first documents with the best ones, if feedback is requested, and reads the passages of a page:
 * that transfers less than the texts of all candidates.
 */
export async function rank(
  connection: QdrantConnection,
  collection: string,
  request: RankRequest,
  { documentVectors, formerPoints }: SearchMemory,
): Promise<RankedDocuments> {
  const { team, signal, candidates } = request;
  const filters = filtersOf(request);
  const ranked = legsOf(request, filters.filter).map((leg) => ({ ...leg, limit: candidates }));
  if (filters.filter.matchesNothing || ranked.length === 0) return NOTHING;

  const allLegs = [...ranked, ...probeLegs(request, filters)];
  const { rankings: found, places } = await documentVectors.use(collection, (hasDocumentVector) => {
    const legs = hasDocumentVector ? allLegs : allLegs.filter(({ name }) => name !== 'document');
    return runLegs(connection, collection, { team, legs, signal }, formerPoints);
  });
  const rankings = found.filter(isLeg);
  const probes = readProbes(request, filters, rankings, found.filter(isProbe));
  const documents = fuse(rankings, fusionOf(request));
  const feedback = feedbackOf(request, documents);
  const byKey = withWordPassages(documents, probes);
  const complete = (
    keys: readonly string[],
    passagesPerDocument: number,
    wanted: FeedbackSearch | undefined,
  ): Promise<Completed> => {
    const entries = keys.flatMap((key) => byKey.get(key) ?? []);
    return readDocuments(connection, collection, request, { entries, places, passagesPerDocument, feedback: wanted });
  };
  return {
    ranking: toRanking(documents),
    probes,
    canChange: feedback !== undefined,
    firstPassages: (keys) =>
      firstPassages(
        found.flatMap(({ passages }) => passages),
        keys,
        places,
      ),
    read: async (keys, passagesPerDocument) => (await complete(keys, passagesPerDocument, undefined)).hits,
    refine: async (keys, passagesPerDocument) => {
      const { hits, ranking } = await complete(keys, passagesPerDocument, feedback);
      return { hits, ranking: toRanking(ranking ?? documents) };
    },
  };
}

function toRanking(documents: readonly DocumentCandidate[]): readonly RankedDocument[] {
  return documents.map(({ key, score }) => ({ key, score }));
}

function filtersOf(request: RankRequest): Filters {
  const { filter, only, except = [] } = request;
  const isNarrowed = filter !== undefined || only !== undefined || except.length > 0;
  return { scope: ScopedFilter.within(request), filter: scopedFilterOf(request), isNarrowed };
}

/**
 * Adds the documents of the word probe, without a score, and its passages of documents that no other
 * passage leg found.
 */
function withWordPassages(
  documents: readonly DocumentCandidate[],
  { words }: Probes,
): ReadonlyMap<string, DocumentCandidate> {
  const byKey = new Map(documents.map((candidate) => [candidate.key, candidate]));
  for (const [key, found] of Map.groupBy(words, (passage) => passage.key)) {
    const known = byKey.get(key);
    if (known && known.passages.length > 0) continue;
    const score = known?.score ?? 0;
    const passages = found.map((passage) => ({ ...passage, score, scores: { keyword: passage.score } }));
    byKey.set(key, { key, score, passages, point: passages[0]?.id ?? '' });
  }
  return byKey;
}

/**
 * Returns the ids that the first passage of each document can have. While two versions are stored,
 * those of the newer one, which stays.
 */
function firstPassages(
  found: readonly { readonly id: string; readonly key: string }[],
  keys: Iterable<string>,
  places: Places,
): string[] {
  const wanted = new Set(keys);
  const newest = new Map<string, string>();
  for (const { id, key } of found) {
    if (!wanted.has(key)) continue;
    const known = newest.get(key);
    if (known === undefined || places.versionOf(id) > places.versionOf(known)) newest.set(key, id);
  }
  return [...newest.values()].flatMap((id) => places.siblingsOf(id, FIRST_CHUNK));
}

/** Ranks documents and reads one page of them. */
export async function search(
  connection: QdrantConnection,
  collection: string,
  request: SearchRequest,
  memory: SearchMemory,
): Promise<SearchResult> {
  const { offset, limit, passagesPerDocument } = request;
  const ranked = await rank(connection, collection, request, memory);
  const wanted = { offset, end: offset + limit, passagesPerDocument };
  const { ranking, page } = await readPage(ranked, wanted, (ranking) => ranking);
  const hits = page.map(({ entry: { score }, hit }) => ({ ...hit, score }));
  return { hits, ranking, total: ranking.length };
}

/** Other modes than `hybrid` keep the scores of their legs. */
function fusionOf(request: RankRequest): FusionSettings {
  if (request.mode === 'semantic') return { fusion: undefined, weights: { ...EQUAL, document: 0 } };
  const document = request.document?.weight ?? 0;
  if (request.mode === 'keyword') return { fusion: undefined, weights: { ...EQUAL, document } };
  return { fusion: request.fusion ?? 'score', weights: { ...(request.weights ?? EQUAL), document } };
}

const EQUAL = { keyword: 1, semantic: 1 } as const;

interface Reading {
  readonly entries: readonly DocumentCandidate[];
  readonly places: Places;
  readonly passagesPerDocument: number;
  readonly feedback: FeedbackSearch | undefined;
}

interface Completed {
  readonly hits: ReadonlyMap<string, DocumentHit>;
  /** Undefined without feedback. */
  readonly ranking: readonly DocumentCandidate[] | undefined;
}

/**
 * Reads the best passages of documents and runs the feedback, in one request. The best passages of
 * documents that only the document leg found are searched for by their words.
 */
async function readDocuments(
  connection: QdrantConnection,
  collection: string,
  request: RankRequest,
  { entries, places, passagesPerDocument, feedback }: Reading,
): Promise<Completed> {
  const scope = ScopedFilter.within(request);
  const ids = entries.flatMap(({ passages, point }) =>
    passages.length === 0 ? point : passages.slice(0, passagesPerDocument).map(({ id }) => id),
  );
  const words = request.mode === 'semantic' ? undefined : request.sparse;
  const unknown = entries.flatMap(({ key, point, passages }) => {
    if (words === undefined || passages.length > 0) return [];
    const query = bestPassagesOf(point, places, { words, scope, passagesPerDocument });
    return query === undefined ? [] : [{ key, query: { ...query, with_payload: SHOWN_FIELDS } }];
  });
  const searches = [...(ids.length === 0 ? [] : [passagesById(scope, ids)]), ...unknown.map(({ query }) => query)];
  const { responses, ofFeedback } = await runWith(connection, collection, searches, feedback, request);
  const stored = new Map(
    readPassages(ids.length === 0 ? undefined : responses[0]).map((passage) => [passage.id, passage]),
  );
  const best = new Map(unknown.map(({ key }, at) => [key, readPassages(responses[at + 1])]));
  return {
    ranking: ofFeedback && feedback?.rankAgain(ofFeedback),
    hits: new Map(
      entries.flatMap((entry) => {
        const hit = toHit(entry, shownPassages(entry, stored, best.get(entry.key) ?? [], passagesPerDocument));
        return hit === undefined ? [] : [[entry.key, hit]];
      }),
    ),
  };
}

interface Responses {
  readonly responses: readonly Schemas['QueryResponse'][];
  /** Undefined without feedback, and if one of its examples was deleted in the meantime. */
  readonly ofFeedback: Schemas['QueryResponse'] | undefined;
}

/** Runs searches and the feedback in one request. */
async function runWith(
  connection: QdrantConnection,
  collection: string,
  searches: Schemas['QueryRequest'][],
  feedback: FeedbackSearch | undefined,
  { signal }: RankRequest,
): Promise<Responses> {
  const run = <Missing>(batch: Schemas['QueryRequest'][], ifMissing: () => Missing) =>
    connection.read('query page', REQUESTS.queryBatch(collection, batch), { signal, ifMissing });
  if (feedback !== undefined) {
    const responses = await run([...searches, feedback.query], () => undefined);
    if (responses !== undefined) return { responses, ofFeedback: responses.at(-1) };
    // Qdrant reports 404 if an example of the feedback was deleted, and answers nothing else.
  }
  return { responses: searches.length === 0 ? [] : await run(searches, () => []), ofFeedback: undefined };
}

/** A passage to show, with its scores. */
interface ShownPassage extends ReadPassage {
  readonly scores: LegScores;
}

function shownPassages(
  { passages, point, score }: DocumentCandidate,
  stored: ReadonlyMap<string, ReadPassage>,
  best: readonly ReadPassage[],
  most: number,
): ShownPassage[] {
  if (passages.length > 0) {
    return passages.slice(0, most).flatMap(({ id, score, scores }) => {
      const passage = stored.get(id);
      return passage ? [{ ...passage, score, scores }] : [];
    });
  }
  if (best.length > 0) return best.map((passage) => ({ ...passage, score, scores: { keyword: passage.score } }));
  const first = stored.get(point);
  return first ? [{ ...first, score, scores: {} }] : [];
}

/** Returns no hit if all its passages were deleted since the ranking. */
function toHit({ score }: DocumentCandidate, found: readonly ShownPassage[]): DocumentHit | undefined {
  const [best] = found;
  if (!best) return undefined;
  return {
    document: best.payload.document,
    score,
    scores: found.map(({ scores }) => scores).reduce(bestOf),
    passages: found.map(({ payload, score }) => toPassageHit(payload, score)),
    payload: best.payload,
  };
}

function toPassageHit(
  { chunk, heading, text, language, start, end }: ReadPassage['payload'],
  score: number,
): PassageHit {
  return { chunk, heading, text, language, start, end, score };
}

function bestOf(a: LegScores, b: LegScores): LegScores {
  return { ...best('keyword', a, b), ...best('semantic', a, b) };
}

function best(leg: keyof LegScores, a: LegScores, b: LegScores): LegScores {
  const score = Math.max(a[leg] ?? Number.NEGATIVE_INFINITY, b[leg] ?? Number.NEGATIVE_INFINITY);
  return Number.isFinite(score) ? { [leg]: score } : {};
}
