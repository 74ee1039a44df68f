/** A fault of an emulator. */
export type Fault =
  /** A response with this status; `retryAfter` is the header. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Vectors with one dimension too few. */
  | { readonly kind: 'wrong_dimensions' }
  /** One result too few. */
  | { readonly kind: 'one_missing' }
  /** A value that is not a number. */
  | { readonly kind: 'not_a_number' }
  /** Never responds; ends when the client disconnects. */
  | { readonly kind: 'silence' }
  /** Half the response, then the connection closes. */
  | { readonly kind: 'truncated' }
  /** A complete response that is not JSON. */
  | { readonly kind: 'gibberish' };

/** Returns the fault for a request by its number, from 1. */
export type FaultPlan = (request: number) => Fault | undefined;

/** One fault for each of the first requests. */
export const inOrder =
  (...faults: readonly Fault[]): FaultPlan =>
  (request) =>
    faults[request - 1];

/** A fault for every nth request. */
export const everyNth =
  (n: number, fault: Fault): FaultPlan =>
  (request) =>
    request % n === 0 ? fault : undefined;
