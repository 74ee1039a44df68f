import type { DocumentVectors } from '#connection/document-vectors';
import type { QdrantConnection } from '#connection/qdrant-connection';
import type { PassagePayload } from '#layout/passage';
import { scopedFilterOf } from '#read/scoped-request';
import { ScopedFilter } from '#scope/scoped-filter';
import { applyFeedback } from '#search/apply-feedback';
import { findBestPassages } from '#search/best-passages';
import { type Candidate, type DocumentCandidate, type FusionSettings, fuse } from '#search/fuse';
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

const NO_PROBES: Probes = {
  words: [],
  areWordsCutOff: false,
  wordsInScope: [],
  documents: [],
  nearest: [],
  strongest: [],
};
const NOTHING: RankedDocuments = { ranking: [], probes: NO_PROBES, read: async () => [] };

/**
 * Ranks documents with one request for all legs and probes, without reading payloads, and a second one if
 * feedback is requested. The legs are fused here because neither of Qdrant's fusions measured as
 * well. Only the passages of the documents passed to `read` are read, which transfers less than the
 * texts of all candidates.
 */
export async function rank(
  connection: QdrantConnection,
  collection: string,
  request: RankRequest,
  documentVectors: DocumentVectors,
): Promise<RankedDocuments> {
  const { signal, candidates } = request;
  const filters = filtersOf(request);
  const ranked = legsOf(request, filters.filter).map((leg) => ({ ...leg, limit: candidates }));
  if (filters.filter.matchesNothing || ranked.length === 0) return NOTHING;

  const allLegs = [...ranked, ...probeLegs(request, filters)];
  const found = await documentVectors.use(collection, (hasDocumentVector) => {
    const legs = hasDocumentVector ? allLegs : allLegs.filter(({ name }) => name !== 'document');
    return runLegs(connection, collection, { legs, signal });
  });
  const rankings = found.filter(isLeg);
  const probes = readProbes(request, filters, rankings, found.filter(isProbe));
  const fused = fuse(rankings, fusionOf(request));
  const documents = request.mode === 'hybrid' ? await applyFeedback(connection, collection, request, fused) : fused;
  const byId = withWordPassages(documents, probes);
  return {
    ranking: documents.map(({ document, score }) => ({ document, score })),
    probes,
    read: async (ids, passagesPerDocument) => {
      const page = await withPassages(
        connection,
        collection,
        request,
        ids.flatMap((id) => byId.get(id) ?? []),
        passagesPerDocument,
      );
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

/**
 * Adds the documents of the word probe, without a score, and its passages of documents that no other
 * passage leg found.
 */
function withWordPassages(
  documents: readonly DocumentCandidate[],
  { words }: Probes,
): ReadonlyMap<string, DocumentCandidate> {
  const byId = new Map(documents.map((candidate) => [candidate.document, candidate]));
  for (const [document, found] of Map.groupBy(words, (passage) => passage.document)) {
    const known = byId.get(document);
    if (known && known.passages.length > 0) continue;
    const score = known?.score ?? 0;
    const passages = found.map((passage) => ({ ...passage, score, scores: { keyword: passage.score } }));
    byId.set(document, { document, score, passages, point: passages[0]?.id ?? '' });
  }
  return byId;
}

/** Ranks documents and reads one page of them. */
export async function search(
  connection: QdrantConnection,
  collection: string,
  request: SearchRequest,
  documentVectors: DocumentVectors,
): Promise<SearchResult> {
  const { offset, limit, passagesPerDocument } = request;
  const { ranking, read } = await rank(connection, collection, request, documentVectors);
  const page = ranking.slice(offset, offset + limit).map(({ document }) => document);
  return { hits: await read(page, passagesPerDocument), ranking, total: ranking.length };
}

/** Other modes than `hybrid` keep the scores of their legs. */
function fusionOf(request: RankRequest): FusionSettings {
  if (request.mode === 'semantic') return { fusion: undefined, weights: { ...EQUAL, document: 0 } };
  const document = request.document?.weight ?? 0;
  if (request.mode === 'keyword') return { fusion: undefined, weights: { ...EQUAL, document } };
  return { fusion: request.fusion ?? 'score', weights: { ...(request.weights ?? EQUAL), document } };
}

const EQUAL = { keyword: 1, semantic: 1 } as const;

/**
 * Limits each document to its best passages. The best passages of documents that only the document
 * leg found are searched for by their words.
 */
async function withPassages(
  connection: QdrantConnection,
  collection: string,
  request: RankRequest,
  documents: readonly DocumentCandidate[],
  passagesPerDocument: number,
): Promise<DocumentCandidate[]> {
  const unknown = documents.filter(({ passages }) => passages.length === 0).map(({ document }) => document);
  const found =
    request.mode === 'semantic'
      ? undefined
      : await findBestPassages(connection, collection, {
          words: request.sparse,
          scope: ScopedFilter.within(request),
          documents: unknown,
          passagesPerDocument,
          signal: request.signal,
        });
  return documents.map((entry) => {
    if (entry.passages.length > 0) return { ...entry, passages: entry.passages.slice(0, passagesPerDocument) };
    const first = { id: entry.point, document: entry.document, score: entry.score, scores: {} };
    const passages = found
      ?.get(entry.document)
      ?.map(({ id, document, score }): Candidate => ({ id, document, score: entry.score, scores: { keyword: score } }));
    return { ...entry, passages: passages ?? [first] };
  });
}

/** Returns no hit if all its passages were deleted since the ranking. */
function toHit(
  { document, score, passages }: DocumentCandidate,
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

function toPassageHit({ chunk, heading, text, language, start, end }: PassagePayload, score: number): PassageHit {
  return { chunk, heading, text, language, start, end, score };
}

function bestOf(a: LegScores, b: LegScores): LegScores {
  return { ...best('keyword', a, b), ...best('semantic', a, b) };
}

function best(leg: keyof LegScores, a: LegScores, b: LegScores): LegScores {
  const score = Math.max(a[leg] ?? Number.NEGATIVE_INFINITY, b[leg] ?? Number.NEGATIVE_INFINITY);
  return Number.isFinite(score) ? { [leg]: score } : {};
}
