import { createCache } from '@lectern/resilience';
import { countLookup } from '@lectern/service-kit';
import type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';
import { batchTexts } from '#dense/remote/batch-texts';
import type { EmbeddingsApi, TextKind } from '#dense/remote/embeddings-api';
import { limitConcurrency } from '#dense/remote/limit-concurrency';
import { readVectors } from '#dense/remote/read-vectors';
import type { CallLimits } from '#endpoint/endpoint';
import { postJson } from '#endpoint/post-json';
import { TRAINED_SIMILARITY } from '#similarity';

/** A user waits for a query; documents are indexed in the background. */
const LIMITS: Readonly<Record<TextKind, CallLimits>> = {
  query: { attemptMs: 5_000, totalMs: 8_000, attempts: 3 },
  document: { attemptMs: 60_000, totalMs: 180_000, attempts: 6 },
};

/** Concurrent document requests of one process. Queries do not wait for them. */
const CONCURRENCY = 4;
/** About 6 MB at 1,536 dimensions. */
const CACHED_QUERIES = 1_000;

export interface RemoteEncoderOptions {
  readonly dimensions?: number | undefined;
  /** Replaces the default limits, for tests and slow machines. */
  readonly limits?: Readonly<Record<TextKind, CallLimits>>;
}

/** Creates an encoder that gets its vectors from a provider over HTTP. */
export function createRemoteEncoder(api: EmbeddingsApi, options: RemoteEncoderOptions = {}): DenseEncoder {
  const { limits = LIMITS } = options;
  const inTurn = limitConcurrency(CONCURRENCY);
  const queries = createCache<string, Float32Array>({ maxEntries: CACHED_QUERIES });
  let dimensions = options.dimensions;

  const embed = async (texts: readonly string[], kind: TextKind, signal: AbortSignal | undefined) => {
    const response = await postJson(api.endpoint, api.requestBody(texts, kind), limits[kind], signal);
    const vectors = readVectors(api.endpoint, response, texts.length, dimensions);
    dimensions ??= vectors[0]?.length;
    return vectors;
  };

  /** Sends batches in parallel. The first failure aborts the other requests. */
  const embedInBatches = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    const batches = [...batchTexts(texts, api.batch)].map((batch) => inTurn(() => embed(batch, 'document', either)));
    try {
      return (await Promise.all(batches)).flat();
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };

  const embedQuery = async (text: string, { signal }: EmbedOptions = {}) => {
    const known = queries.get(text);
    countLookup('query_vector', known !== undefined);
    if (known) return known;
    const [vector] = await embed([text], 'query', signal);
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
    similarity: TRAINED_SIMILARITY,
    isCostly: true,
    embedQuery,
    async embedDocuments(texts, { signal } = {}) {
      signal?.throwIfAborted();
      // Providers reject empty texts.
      const nonEmpty = [...new Set(texts.filter((text) => text.trim() !== ''))];
      const vectors = nonEmpty.length === 0 ? [] : await embedInBatches(nonEmpty, signal);
      const byText = new Map(nonEmpty.map((text, at) => [text, vectors[at]]));
      const empty = new Float32Array(dimensions ?? 0);
      return texts.map((text) => byText.get(text) ?? empty);
    },
  };
}
