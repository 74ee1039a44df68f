const MAX_LENGTH = 200;

/** Returns the form of a query that search analytics count: equal for queries that mean the same. */
export function normalizeQuery(query: string): string {
  const text = query
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return [...text.slice(0, 2 * MAX_LENGTH)].slice(0, MAX_LENGTH).join('').trim();
}
