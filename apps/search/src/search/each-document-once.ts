/**
 * Keeps the first entry of each document. While a collection moves to another embedding model, a
 * document is briefly stored under both.
 */
export function eachDocumentOnce<T extends { readonly document: string }>(found: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return found.filter(({ document }) => !seen.has(document) && seen.add(document));
}
