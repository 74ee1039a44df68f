/** An HTTP endpoint of a model provider that accepts and returns JSON. */
export interface Endpoint {
  /** The provider's name in error messages: `embedding provider`. */
  readonly name: string;
  /** The prefix of its settings: `EMBEDDING`. */
  readonly settings: string;
  readonly url: string;
  /** Sent as a bearer token. Local providers need none. */
  readonly apiKey?: string | undefined;
}

/** How often and how long an endpoint is tried. */
export interface CallLimits {
  /** Deadline of one attempt. */
  readonly attemptMs: number;
  /** Deadline of all attempts with the waits between them. */
  readonly totalMs: number;
  readonly attempts: number;
}
