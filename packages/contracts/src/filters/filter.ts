/** `null` means a field that is missing, null or an empty list. */
export type FilterScalar = string | number | boolean | null;

/** Fields of a filter: the built-in fields and any path into a document's metadata. */
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
 * A condition on documents. If a metadata value is a list, a comparison is true if it is true for
 * one element. A missing field matches only `ne`, `nin`, `eq: null` and `exists: false`. Values of
 * different types are never equal. `gt`, `gte`, `lt` and `lte` compare numbers with numbers and ISO
 * 8601 dates with dates. For `createdAt` and `updatedAt`, `eq` and `in` with a date without time
 * match that whole UTC day.
 */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly field: FilterField; readonly op: 'eq' | 'ne'; readonly value: FilterScalar }
  | { readonly field: FilterField; readonly op: 'in' | 'nin'; readonly value: readonly FilterScalar[] }
  | { readonly field: FilterField; readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: string | number }
  | { readonly field: FilterField; readonly op: 'exists'; readonly value: boolean };
