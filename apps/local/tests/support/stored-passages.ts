import { QdrantClient } from '@qdrant/js-client-rest';

/** A passage in the vector store. */
export interface StoredPassage {
  readonly document: string;
  readonly version: number;
  readonly chunk: number;
}

const PAGE = 1_000;

/** Reads every passage from the vector store, without Lectern's code. */
export async function storedPassages(url: string, apiKey: string | undefined): Promise<StoredPassage[]> {
  const client = new QdrantClient({
    url,
    checkCompatibility: false,
    ...(apiKey ? { headers: { 'api-key': apiKey } } : {}),
  });
  const passages: StoredPassage[] = [];
  for (const { name } of (await client.getCollections()).collections) {
    for (let offset: string | number | undefined; ; ) {
      const request = { limit: PAGE, with_payload: ['document', 'version', 'chunk'], with_vector: false };
      const page = await client.scroll(name, offset === undefined ? request : { ...request, offset });
      for (const { payload } of page.points) {
        const { document, version, chunk } = payload ?? {};
        passages.push({ document: String(document), version: Number(version), chunk: Number(chunk) });
      }
      const next = page.next_page_offset;
      if (typeof next !== 'string' && typeof next !== 'number') break;
      offset = next;
    }
  }
  return passages;
}
