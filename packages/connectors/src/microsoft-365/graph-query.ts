/** Encodes a part of a path. */
export const encodePart = encodeURIComponent;

/** Builds a query. The `$` of its options is not encoded. */
export const query = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** Quotes a text in a filter. https://learn.microsoft.com/en-us/graph/filter-query-parameter */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
