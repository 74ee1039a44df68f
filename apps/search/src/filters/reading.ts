import type { Issue } from '@lectern/service-kit';

/** The state of parsing filters. */
export interface Reading {
  readonly issues: Issue[];
  /** The number of metadata ranges. Each is replaced by the list of values within it. */
  ranges: number;
}

/** Returns whether a value is an object with named members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
