import type { SearchResult } from '@lectern/contracts';
import type { SourceDocument } from '@lectern/grounding';

/** Converts a search result to a model's source. */
export function toSourceDocument({ documentId, title, url, passages }: SearchResult): SourceDocument {
  return {
    id: documentId,
    title,
    ...(url === undefined ? {} : { url }),
    passages: passages.map(({ text, heading, start, end, score }) => ({
      text,
      start,
      end,
      score,
      ...(heading === '' ? {} : { heading }),
    })),
  };
}
