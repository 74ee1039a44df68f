/**
 * The first of what is about the same document. While a collection moves to another embedding model, a document is under both models between the moment
 * it is there under the new one and the moment it is gone from the old.
 */
export function eachDocumentOnce<T extends { readonly document: string }>(found: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return found.filter(({ document }) => !seen.has(document) && seen.add(document));
}
