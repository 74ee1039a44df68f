import type { Issue } from '@lectern/service-kit';
import type { FilterField } from '@lectern/vector-store';

/** What is read of filters so far. */
export interface Reading {
  readonly issues: Issue[];
  /** Metadata fields with a range: the values of each are listed by a call to the vector store. */
  readonly rangeFields: Set<FilterField>;
}

/** Whether a value is an object of names and values. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
