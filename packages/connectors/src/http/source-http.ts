import type { z } from 'zod';
import type { ConnectorCall } from '../connector.ts';
import type { SourceError } from '../source-error.ts';

export interface SourceRequest {
  readonly url: string | URL;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is where it is a `URLSearchParams`. */
  readonly body?: unknown;
  /** What the item or thing is called in error messages. */
  readonly what?: string;
}

export interface SourceAnswer<T> {
  readonly value: T;
  readonly headers: Headers;
}

/** What a source's own client says about its platform. */
export interface SourceHttpOptions {
  /** `fetch` of an egress guard. */
  readonly fetch: typeof globalThis.fetch;
  /** The platform's name in messages, such as `GitHub`. */
  readonly platform: string;
  /** Headers that authorise. Called again with `rejected: true` after a 401, where the source can give new ones; then tried once more. */
  readonly authorize?: (call: ConnectorCall, rejected: boolean) => Promise<Readonly<Record<string, string>>>;
  /** Milliseconds for one request up to its headers, and between two pieces of its body. */
  readonly timeoutMs?: number;
  /**
   * The platform's own reading of an answer, good or bad (a 200 that carries an error, a 403 that means too many requests); undefined
   * leaves it to the status. `body` is the parsed JSON, or text, of at most 64 KiB.
   */
  readonly errorOf?: (answer: { status: number; headers: Headers; body: unknown }) => SourceError | undefined;
}

/**
 * Requests to a platform: deadlines, a few quick retries of what a second may mend, and `SourceError` for the rest. A wait longer than
 * two seconds is not slept through; it is thrown as `rate` with `retryAt`.
 */
export interface SourceHttp {
  /** A JSON answer, checked. */
  json<T>(call: ConnectorCall, request: SourceRequest, schema: z.ZodType<T>): Promise<SourceAnswer<T>>;
  /** A body that is read once; one that breaks off, or is shorter than it said, ends with a `transient` error. */
  download(call: ConnectorCall, request: SourceRequest): Promise<SourceAnswer<AsyncIterable<Uint8Array>>>;
}
