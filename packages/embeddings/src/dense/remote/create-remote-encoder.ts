import { countLookup } from '@lectern/service-kit';
import type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';
import { Recent } from '#dense/recent';
import { batchTexts } from '#dense/remote/batch-texts';
import type { EmbeddingsApi, TextKind } from '#dense/remote/embeddings-api';
import { limitConcurrency } from '#dense/remote/limit-concurrency';
import { readVectors } from '#dense/remote/read-vectors';
import type { Patience } from '#endpoint/endpoint';
import { postJson } from '#endpoint/post-json';

/** Somebody waits for a query; documents are indexed in the background. */
const PATIENCE: Readonly<Record<TextKind, Patience>> = {
  query: { tryMs: 5_000, totalMs: 8_000, tries: 3 },
  document: { tryMs: 60_000, totalMs: 180_000, tries: 6 },
};

/** Requests of documents at a time, of one process. Queries are not held up behind them. */
const CONCURRENCY = 4;
/** About 6 MB at 1,536 dimensions. */
const CACHED_QUERIES = 1_000;

/** What is different from the usual; for tests and slow machines. */
export interface RemoteEncoderOptions {
  readonly dimensions?: number | undefined;
  readonly patience?: Readonly<Record<TextKind, Patience>>;
}

/** An encoder whose vectors come from a provider over HTTP. */
export function createRemoteEncoder(api: EmbeddingsApi, options: RemoteEncoderOptions = {}): DenseEncoder {
  const { patience = PATIENCE } = options;
  const inTurn = limitConcurrency(CONCURRENCY);
  const queries = new Recent<Float32Array>(CACHED_QUERIES);
  let dimensions = options.dimensions;

  const ask = async (texts: readonly string[], kind: TextKind, signal: AbortSignal | undefined) => {
    const answer = await postJson(api.endpoint, api.requestBody(texts, kind), patience[kind], signal);
    const vectors = readVectors(api.endpoint, answer, texts.length, dimensions);
    dimensions ??= vectors[0]?.length;
    return vectors;
  };

  /** The first failure ends the requests beside it. */
  const askInBatches = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    const asked = [...batchTexts(texts, api.batch)].map((batch) => inTurn(() => ask(batch, 'document', either)));
    try {
      return (await Promise.all(asked)).flat();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };

  const embedQuery = async (text: string, { signal }: EmbedOptions = {}) => {
    const known = queries.get(text);
    countLookup('query_vector', known !== undefined);
    if (known) return known;
    const [vector] = await ask([text], 'query', signal);
    if (vector === undefined) throw new Error('No vector for the query.');
    queries.set(text, vector);
    return vector;
  };

  return {
    model: api.space,
    get dimensions() {
      return dimensions;
    },
    hybridWeight: 1,
    isCostly: true,
    embedQuery,
    async embedDocuments(texts, { signal } = {}) {
      signal?.throwIfAborted();
      // Providers refuse empty texts.
      const worded = [...new Set(texts.filter((text) => text.trim() !== ''))];
      const vectors = worded.length === 0 ? [] : await askInBatches(worded, signal);
      const byText = new Map(worded.map((text, at) => [text, vectors[at]]));
      const empty = new Float32Array(dimensions ?? 0);
      return texts.map((text) => byText.get(text) ?? empty);
    },
  };
}
