/**
 * Keeps the first entry of each document. While a collection moves to another embedding model, a
 * document is briefly stored under both.
 */
export function eachDocumentOnce<T>(found: readonly T[], documentOf: (entry: T) => string): readonly T[] {
  const seen = new Set<string>();
  return found.filter((entry) => {
    const document = documentOf(entry);
    return !seen.has(document) && seen.add(document);
  });
}
