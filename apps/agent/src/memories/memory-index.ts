import {
  analyzePassage,
  createDenseEncoders,
  createSparseEncoder,
  dimensionsOf,
  documentWords,
  encoderSettings,
} from '@lectern/embeddings';
import type { Logger } from '@lectern/service-kit';
import { ANALYSIS_VERSION, analyzeQuery } from '@lectern/text';
import { createVectorStore, type DocumentHit, POINTS_VERSION, type StoredVersion } from '@lectern/vector-store';
import type { Config } from '#config';
import type { Memory } from '#gen/prisma/client';

/**
 * A memory that a vector search found, with the cosine similarity if the query could be embedded.
 */
interface FoundMemory {
  readonly id: string;
  /** From 0 to 1, weighted by the quality of the encoder. */
  readonly semantic: number;
}

interface OfAgent {
  readonly teamId: string;
  readonly agentId: string;
}

/**
 * The copy of memories in the vector store. They have separate collections (see docs/adr), in which
 * an agent is stored like a collection and a memory like a document with one passage. Rejects with
 * `AppError`: `unavailable`, `timeout`, or the error of the embedding provider.
 */
export interface MemoryIndex {
  /**
   * The embedding model and the analysis version that memories are stored under. Memories stored
   * under other ones are copied again.
   */
  readonly indexedAs: string;
  put(memories: readonly Memory[], signal?: AbortSignal): Promise<void>;
  remove(place: OfAgent & { readonly memoryId: string | null }, signal?: AbortSignal): Promise<void>;
  removeVersion(teamId: string, stored: StoredVersion, signal?: AbortSignal): Promise<void>;
  /**
   * Returns the memories of an agent nearest to a text. Searches by words only if the text cannot
   * be embedded.
   */
  find(place: OfAgent, text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundMemory[]>;
  /** Yields all stored versions of a team. */
  stored(teamId: string, signal?: AbortSignal): AsyncGenerator<StoredVersion, void, undefined>;
  /** Returns the number of stored passages of each memory. */
  counts(teamId: string, ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
}

const PREFIX = { default: 'lectern_', memories: 'memories_' };
const SOURCE = 'memory';
const READERS = ['public'];

/** Creates the index. Makes no calls yet. Throws `ConfigError` for invalid embedding settings. */
export function createMemoryIndex(config: Config, log: Logger): MemoryIndex {
  const store = createVectorStore({
    url: config.QDRANT_URL,
    apiKey: config.QDRANT_API_KEY,
    prefix: `${config.QDRANT_PREFIX ?? PREFIX.default}${PREFIX.memories}`,
    collections: config,
    timeoutMs: config.QDRANT_TIMEOUT_MS,
    onWarning: (message) => log.warn(message),
  });
  const dense = createDenseEncoders(encoderSettings(config, log)).get();
  const sparse = createSparseEncoder();
  const { model } = dense;
  let isReady = false;
  const ensure = async (signal: AbortSignal | undefined) => {
    if (isReady) return;
    await store.ensureModel({ model, dimensions: await dimensionsOf(dense, { signal }) }, { signal });
    isReady = true;
  };
  /** A zero vector disables the dense leg, so that a hybrid search uses words only. */
  const embed = async (text: string, signal: AbortSignal | undefined): Promise<Float32Array> => {
    try {
      return await dense.embedQuery(text, { signal });
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, model }, 'could not embed the query; memories are searched by words only');
      return new Float32Array(1);
    }
  };
  const toFound = ({ document, scores }: DocumentHit): FoundMemory => ({
    id: document,
    semantic: dense.hybridWeight * Math.min(1, Math.max(0, scores.semantic ?? 0)),
  });
  return {
    indexedAs: `${model} (analysis ${ANALYSIS_VERSION}, points ${POINTS_VERSION})`,
    put: async (memories, signal) => {
      if (memories.length === 0) return;
      await ensure(signal);
      const vectors = await dense.embedDocuments(
        memories.map(({ content }) => content),
        { signal },
      );
      const passages = memories.flatMap((memory, at) => {
        const vector = vectors[at];
        if (vector === undefined) return [];
        const { id, teamId, agentId, kind, content, version } = memory;
        const analyzed = analyzePassage({ text: content });
        return {
          team: teamId,
          collection: agentId,
          document: id,
          source: SOURCE,
          type: kind,
          createdAt: memory.createdAt.toISOString(),
          updatedAt: memory.updatedAt.toISOString(),
          principals: READERS,
          version,
          chunk: 0,
          metadata: {},
          title: '',
          heading: '',
          // The text is stored in the row only.
          text: '',
          start: 0,
          end: content.length,
          dense: vector,
          sparse: sparse.encodeDocument(analyzed),
          terms: documentWords(analyzed),
        };
      });
      await store.upsertPassages(model, passages, { signal });
      for (const { id, teamId, version } of memories) {
        if (version > 1)
          await store.deleteDocument(model, { team: teamId, document: id, beforeVersion: version, signal });
      }
    },
    remove: async ({ teamId: team, agentId, memoryId }, signal) => {
      if (memoryId === null) await store.deleteCollection(model, { team, collection: agentId, signal });
      else await store.deleteDocument(model, { team, document: memoryId, signal });
    },
    removeVersion: (team, { document, version }, signal) =>
      store.deleteVersion(model, { team, document, version, signal }),
    find: async ({ teamId: team, agentId }, text, limit, signal) => {
      const { hits } = await store.search(model, {
        mode: 'hybrid',
        team,
        collections: [agentId],
        sparse: sparse.encodeQuery(analyzeQuery(text)),
        dense: await embed(text, signal),
        limit,
        offset: 0,
        passagesPerDocument: 1,
        candidates: limit,
        weights: { keyword: 1, semantic: dense.hybridWeight },
        fusion: dense.hybridWeight < 1 ? 'score' : 'rank',
        signal,
      });
      return hits.map(toFound);
    },
    stored: (team, signal) => store.scrollDocuments(model, { team, signal }),
    counts: (team, ids, signal) => store.countByDocument(model, { team, documents: [...ids], signal }),
  };
}
