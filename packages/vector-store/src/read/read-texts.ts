import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { oneOf } from '#filter/conditions';
import { ScopedFilter } from '#scope/scoped-filter';

export interface TextsRequest extends CallOptions {
  readonly team: string;
  readonly documents: readonly string[];
}

/** The text of a passage with its position in the document. */
export interface PassageText {
  readonly document: string;
  readonly version: number;
  readonly chunk: number;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Documents and passages per request. Few documents, because callers analyze a whole batch before
 * other work continues.
 */
const DOCUMENTS_PER_REQUEST = 20;
const PASSAGES_PER_RESPONSE = 500;

const FIELDS = ['document', 'version', 'chunk', 'title', 'heading', 'text', 'start', 'end'];

const passageText = z.object({
  document: z.string(),
  version: z.int(),
  chunk: z.int(),
  title: z.string(),
  heading: z.string(),
  text: z.string(),
  start: z.int(),
  end: z.int(),
});

/**
 * Reads all passages of these documents in batches of documents. The passages of a batch come
 * together, in no order.
 */
export async function* readTexts(
  connection: QdrantConnection,
  collection: string,
  { team, documents, signal }: TextsRequest,
): AsyncGenerator<readonly PassageText[], void, undefined> {
  for (let at = 0; at < documents.length; at += DOCUMENTS_PER_REQUEST) {
    const batch = documents.slice(at, at + DOCUMENTS_PER_REQUEST);
    const filter = ScopedFilter.within({ team }).and(oneOf('document', batch)).toQdrant();
    const texts: PassageText[] = [];
    let offset: string | number | undefined;
    do {
      const from = offset === undefined ? {} : { offset };
      const page = { filter, limit: PASSAGES_PER_RESPONSE, with_payload: FIELDS, with_vector: false, ...from };
      const { points, next_page_offset } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
        signal,
        ifMissing: () => ({ points: [], next_page_offset: null }),
      });
      for (const { payload } of points) texts.push(passageText.parse(payload));
      offset = z.union([z.string(), z.number()]).nullish().parse(next_page_offset) ?? undefined;
    } while (offset !== undefined);
    yield texts;
  }
}
