import { analyzeQuery } from '@lectern/text';
import type { CorpusQuery } from '#corpus/corpus';
import type { IndexedCorpus } from '#ingest/ingest';
import { createJsonClient } from '#system/json-client';
import { createChromaCollection } from '#targets/chroma/chroma-collection';
import { startChroma } from '#targets/chroma/chroma-server';
import { learnVectors } from '#targets/chroma/learn-vectors';
import { readStoredPassages } from '#targets/chroma/stored-passages';
import { RESULTS, type SearchTarget } from '#targets/search-target';

/** Requests more passages than documents, because one document often has several. */
const PASSAGES = 3 * RESULTS;

/**
 * A Chroma server with Lectern's passages and vectors of the builtin embedding, using cosine over
 * HNSW. It gets the vectors of queries, so that encoding does not count against it.
 */
export async function chromaTarget(
  qdrantUrl: string,
  indexed: IndexedCorpus,
  queries: readonly CorpusQuery[],
  signal: AbortSignal,
): Promise<SearchTarget> {
  const passages = await readStoredPassages(qdrantUrl, indexed, signal);
  const encoder = await learnVectors(passages, signal);
  const vectors = new Map(queries.map(({ id, text }) => [id, encoder.encodeQuery(analyzeQuery(text)).vector]));
  const server = await startChroma(signal);
  const client = createJsonClient(server.url);
  const close = async () => {
    client.close();
    await server.stop();
  };
  try {
    const collection = await createChromaCollection(client);
    await collection.add(
      passages.map(({ id, document, text, sparse }) => ({ id, document, text, vector: encoder.encodePassage(sparse) })),
      signal,
    );
    return {
      name: 'Chroma server, vectors given',
      isPeer: true,
      async search({ id }) {
        const vector = vectors.get(id);
        if (!vector) throw new Error(`The query ${id} was not encoded.`);
        return [...new Set(await collection.nearest(vector, PASSAGES))].slice(0, RESULTS);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
