/** `null` stands for a field that is missing, null or an empty list. */
export type FilterScalar = string | number | boolean | null;

/** What can be filtered by: the built-in fields, and any path into a document's metadata. */
export type FilterField =
  | 'source'
  | 'connector'
  | 'collection'
  | 'author'
  | 'type'
  | 'updatedAt'
  | 'createdAt'
  | `metadata.${string}`;

/**
 * A condition on documents. Where a metadata value is a list, a comparison holds if it does for one of its elements; a missing field satisfies
 * `ne`, `nin`, `eq: null` and `exists: false` alone. Values of different types are never equal. `gt` and its like compare numbers with numbers
 * and dates (ISO 8601) with dates. A date without a time, compared with `eq` or `in`, is that whole day in UTC where the field is `createdAt` or
 * `updatedAt`.
 */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly field: FilterField; readonly op: 'eq' | 'ne'; readonly value: FilterScalar }
  | { readonly field: FilterField; readonly op: 'in' | 'nin'; readonly value: readonly FilterScalar[] }
  | { readonly field: FilterField; readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: string | number }
  | { readonly field: FilterField; readonly op: 'exists'; readonly value: boolean };
