/** The codes of failures of other services that may pass. A conflict: something else uses the record now. */
export const PASSING_FAILURES: readonly string[] = ['unavailable', 'conflict', 'upstream_error', 'internal_error'];
