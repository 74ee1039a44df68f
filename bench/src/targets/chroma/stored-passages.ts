import { collectionName } from '@lectern/vector-store';
import { z } from 'zod';
import type { IndexedCorpus } from '#ingest/ingest';
import { createJsonClient } from '#system/json-client';
import { VECTOR_STORE_KEY } from '#system/lectern';

const PREFIX = 'lectern_';
const SPARSE = 'text';
const PAGE = 256;

const pageSchema = z.object({
  result: z.object({
    points: z.array(
      z.object({
        id: z.string(),
        payload: z.object({ document: z.string(), title: z.string(), heading: z.string(), text: z.string() }),
        vector: z.object({ [SPARSE]: z.object({ indices: z.array(z.int()), values: z.array(z.number()) }) }),
      }),
    ),
    next_page_offset: z.union([z.string(), z.number()]).nullish(),
  }),
});

/** A passage of Lectern with its vector of the lexical leg. */
export interface StoredPassage {
  readonly id: string;
  /** The id in the corpus. */
  readonly document: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly sparse: { readonly indices: readonly number[]; readonly values: readonly number[] };
}

/** Reads all passages of a corpus from the vector store, so that peers get the same ones. */
export async function readStoredPassages(
  qdrantUrl: string,
  { collection, embeddingModel, corpusIds }: IndexedCorpus,
  signal: AbortSignal,
): Promise<readonly StoredPassage[]> {
  const client = createJsonClient(qdrantUrl, { 'api-key': VECTOR_STORE_KEY });
  const path = `/collections/${collectionName(PREFIX, embeddingModel)}/points/scroll`;
  const request = {
    filter: { must: [{ key: 'collection', match: { value: collection } }] },
    limit: PAGE,
    with_payload: ['document', 'title', 'heading', 'text'],
    with_vector: [SPARSE],
  };
  const passages: StoredPassage[] = [];
  try {
    for (let offset: string | number | null | undefined; offset !== null; ) {
      signal.throwIfAborted();
      const { status, text } = await client.send('POST', path, offset === undefined ? request : { ...request, offset });
      if (status !== 200) throw new Error(`The vector store returned ${status} for a scroll: ${text.slice(0, 500)}`);
      const { points, next_page_offset } = pageSchema.parse(JSON.parse(text)).result;
      for (const { id, payload, vector } of points) {
        const document = corpusIds.get(payload.document) ?? payload.document;
        passages.push({ id, ...payload, document, sparse: vector[SPARSE] });
      }
      offset = next_page_offset ?? null;
    }
  } finally {
    client.close();
  }
  return passages;
}
