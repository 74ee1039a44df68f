/** An address of a model provider that takes JSON and answers with JSON. */
export interface Endpoint {
  /** How errors speak of it: `embedding provider`. */
  readonly name: string;
  /** What the settings about it begin with: `EMBEDDING`. */
  readonly settings: string;
  readonly url: string;
  /** Sent as a bearer token; providers on one's own machine take none. */
  readonly apiKey?: string | undefined;
}

/** How long and how often an endpoint is tried. */
export interface Patience {
  /** Longest time for one try, in milliseconds. */
  readonly tryMs: number;
  /** Longest time for all tries with the pauses between them. */
  readonly totalMs: number;
  /** Most tries. */
  readonly tries: number;
}
