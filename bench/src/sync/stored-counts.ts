import { z } from 'zod';
import type { Api } from '#system/api';
import { type Lectern, VECTOR_STORE_KEY } from '#system/lectern';

/** The stored data after the syncs. */
export interface StoredCounts {
  readonly documents: number;
  /**
   * Counts in the rows and in the vector store. They are equal if nothing was lost or duplicated.
   */
  readonly passages: number;
  readonly points: number;
}

const collections = z.object({ data: z.array(z.object({ id: z.string() })) });
const stats = z.object({ data: z.object({ documentCount: z.int(), embeddingCount: z.int() }) });
const stores = z.object({ result: z.object({ collections: z.array(z.object({ name: z.string() })) }) });
const points = z.object({ result: z.object({ count: z.int() }) });

async function ask<T>(schema: z.ZodType<T>, url: string, body?: object): Promise<T> {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'api-key': VECTOR_STORE_KEY },
  };
  const answer = await fetch(url, {
    ...(body === undefined ? { headers: { 'api-key': VECTOR_STORE_KEY } } : init),
    signal: AbortSignal.timeout(30_000),
  });
  return schema.parse(await answer.json());
}

async function countPoints(qdrantUrl: string): Promise<number> {
  const { result } = await ask(stores, `${qdrantUrl}/collections`);
  let sum = 0;
  for (const { name } of result.collections) {
    sum += (await ask(points, `${qdrantUrl}/collections/${name}/points/count`, { exact: true })).result.count;
  }
  return sum;
}

/** Counts documents and passages in PostgreSQL and points in the vector store. */
export async function countStored({ qdrantUrl }: Lectern, api: Api): Promise<StoredCounts> {
  const { data } = collections.parse(await api.call('GET', '/api/v1/collections'));
  let documents = 0;
  let passages = 0;
  for (const { id } of data) {
    const counted = stats.parse(await api.call('POST', `/api/v1/collections/${id}/refresh-stats`)).data;
    documents += counted.documentCount;
    passages += counted.embeddingCount;
  }
  return { documents, passages, points: await countPoints(qdrantUrl) };
}
