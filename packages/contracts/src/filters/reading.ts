/** What is wrong with a part of a filter, and where. */
export interface FilterIssue {
  readonly path: string;
  readonly message: string;
}

/** The state of parsing filters. */
export interface FilterReading {
  readonly issues: FilterIssue[];
  /** The number of metadata ranges. Each is replaced by the list of values within it. */
  ranges: number;
}

/** Returns whether a value is an object with named members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
