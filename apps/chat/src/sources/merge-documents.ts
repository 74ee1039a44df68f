import type { SourceDocument } from '@lectern/grounding';
import { mergePassages } from '#sources/merge-passages';

/**
 * Merges the documents of several retrievals, interleaved by rank. Lists each document once with
 * all its passages, without repeated text within a document or between documents.
 */
export function mergeDocuments(lists: readonly (readonly SourceDocument[])[]): SourceDocument[] {
  const byId = new Map<string, SourceDocument>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const list of lists) {
      const document = list[rank];
      if (document === undefined) continue;
      const known = byId.get(document.id);
      const passages = [...(known?.passages ?? []), ...document.passages];
      byId.set(document.id, { ...document, ...known, passages });
    }
  }
  const seen = new Set<string>();
  return [...byId.values()].flatMap((document) => {
    const passages = mergePassages(document.passages).filter(({ text }) => !seen.has(text) && seen.add(text));
    return passages.length === 0 ? [] : [{ ...document, passages }];
  });
}
