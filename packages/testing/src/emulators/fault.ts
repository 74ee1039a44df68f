/** What an emulator does instead of answering normally. */
export type Fault =
  /** An answer of this status; `retryAfter` is the header as it stands. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Vectors one dimension short. */
  | { readonly kind: 'wrong_dimensions' }
  /** One result fewer than asked for. */
  | { readonly kind: 'one_missing' }
  /** Something that is no number in place of one. */
  | { readonly kind: 'not_a_number' }
  /** Never answers; ends when the client leaves. */
  | { readonly kind: 'silence' }
  /** Half the answer, then the connection is cut. */
  | { readonly kind: 'truncated' }
  /** The whole answer, but it is not JSON. */
  | { readonly kind: 'gibberish' };

/** Decides by the number of the request, from 1, whether it goes wrong. */
export type FaultPlan = (request: number) => Fault | undefined;

/** The given faults first, one a request; then all goes well. */
export const inOrder =
  (...faults: readonly Fault[]): FaultPlan =>
  (request) =>
    faults[request - 1];

/** Every nth request goes wrong. */
export const everyNth =
  (n: number, fault: Fault): FaultPlan =>
  (request) =>
    request % n === 0 ? fault : undefined;
