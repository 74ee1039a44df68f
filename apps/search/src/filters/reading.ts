import type { Issue } from '@lectern/service-kit';

/** The state of parsing filters. */
export interface Reading {
  readonly issues: Issue[];
  /** Ranges over metadata: each is replaced by the list of values within it. */
  ranges: number;
}

/** Whether a value is an object of names and values. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
