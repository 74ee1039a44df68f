import type { Issue } from '@lectern/service-kit';

/** What is read of filters so far: the issues found, and what has been spent of the limits. */
export interface Reading {
  readonly issues: Issue[];
  values: number;
}

/** Whether a value is an object of names and values. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
