import type { BrowseRequest, DocumentHit, DocumentsRequest, PassagePayload, VectorStore } from '@lectern/vector-store';
import { eachDocumentOnce } from '#search/each-document-once';

/** The order of documents by `updatedAt`. */
export type DateOrder = NonNullable<BrowseRequest['order']>;

/** Documents of one model to list. */
export interface ModelDocuments {
  readonly model: string;
  readonly matched: DocumentsRequest;
}

/** Returns matched documents by date, each by its first passage and without a score. */
export async function listByDate(
  store: VectorStore,
  matches: readonly ModelDocuments[],
  order: DateOrder,
  offset: number,
  limit: number,
): Promise<DocumentHit[]> {
  const [only] = matches;
  if (limit <= 0 || only === undefined) return [];
  if (matches.length === 1) {
    return (await store.browse(only.model, { ...only.matched, order, offset, limit })).map(firstPassageHit);
  }
  return listAcrossModels(store, matches, order, offset, limit);
}

/**
 * Reads only ids and dates of each model up to the end of the page, then the documents of the page.
 * The merge is stable.
 */
async function listAcrossModels(
  store: VectorStore,
  matches: readonly ModelDocuments[],
  order: DateOrder,
  offset: number,
  limit: number,
): Promise<DocumentHit[]> {
  const dated = await Promise.all(
    matches.map(async (match) => {
      const documents = await store.listByDate(match.model, {
        ...match.matched,
        order,
        offset: 0,
        limit: offset + limit,
      });
      return documents.map(({ document, date }) => ({ match, document, date }));
    }),
  );
  const merged = dated.flat().sort((a, b) => (order === 'newest' ? b.date - a.date : a.date - b.date));
  const page = eachDocumentOnce(merged, ({ document }) => document).slice(offset, offset + limit);
  const read = await Promise.all(
    [...Map.groupBy(page, ({ match }) => match)].map(([{ model, matched }, entries]) => {
      const only = entries.map(({ document }) => document);
      return store.browse(model, { ...matched, only, except: undefined, offset: 0, limit: only.length });
    }),
  );
  const hits = new Map(read.flat().map((payload) => [payload.document, firstPassageHit(payload)]));
  return page.flatMap(({ document }) => hits.get(document) ?? []);
}

/** Returns a document by its first passage, without a score. */
export function firstPassageHit(payload: PassagePayload): DocumentHit {
  const { document, chunk, heading, text, language, start, end } = payload;
  const passage = { chunk, heading, text, language, start, end, score: 0 };
  return { document, score: 0, scores: {}, passages: [passage], payload };
}
