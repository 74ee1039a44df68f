import { z } from 'zod';
import type { JsonClient } from '#system/json-client';

const COLLECTIONS = '/api/v2/tenants/default_tenant/databases/default_database/collections';
/** Passages per request. Chroma accepts at most 5,461. */
const BATCH = 500;

const created = z.object({ id: z.string() });
const found = z.object({ metadatas: z.tuple([z.array(z.object({ document: z.string() }))]) });

/** A passage with its vector. */
interface ChromaPassage {
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly vector: Float32Array;
}

/** A Chroma collection, through its REST API. */
export interface ChromaCollection {
  add(passages: readonly ChromaPassage[], signal: AbortSignal): Promise<void>;
  /**
   * Returns the documents of the nearest passages, most similar first, possibly repeated. Requests
   * texts too, like a user would.
   */
  nearest(vector: Float32Array, passages: number): Promise<readonly string[]>;
}

/** Creates an empty collection with cosine distance. */
export async function createChromaCollection(client: JsonClient): Promise<ChromaCollection> {
  const post = async (path: string, body: object): Promise<unknown> => {
    const { status, text } = await client.send('POST', path, body);
    if (status < 200 || status >= 300) throw new Error(`Chroma returned ${status} for ${path}: ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const configuration = { hnsw: { space: 'cosine' } };
  const { id } = created.parse(await post(COLLECTIONS, { name: 'passages', configuration }));
  return {
    async add(passages, signal) {
      for (let at = 0; at < passages.length; at += BATCH) {
        signal.throwIfAborted();
        const batch = passages.slice(at, at + BATCH);
        await post(`${COLLECTIONS}/${id}/upsert`, {
          ids: batch.map((passage) => passage.id),
          embeddings: batch.map(({ vector }) => [...vector]),
          documents: batch.map(({ text }) => text),
          metadatas: batch.map(({ document }) => ({ document })),
        });
      }
    },
    async nearest(vector, passages) {
      const include = ['documents', 'metadatas', 'distances'];
      const body = { query_embeddings: [[...vector]], n_results: passages, include };
      const [metadatas] = found.parse(await post(`${COLLECTIONS}/${id}/query`, body)).metadatas;
      return metadatas.map(({ document }) => document);
    },
  };
}
