import type { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { SourceError } from '#source-error';

export interface SourceRequest {
  readonly url: string | URL;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a `URLSearchParams` is sent as form data. */
  readonly body?: unknown;
  /** The name of the requested resource in error messages. */
  readonly what?: string;
}

export interface SourceResponse<T> {
  readonly value: T;
  readonly headers: Headers;
}

/** The platform-specific parts of requests. */
export interface SourceHttpOptions {
  /** `fetch` of an egress guard. */
  readonly fetch: typeof globalThis.fetch;
  /** The platform's name in messages, for example `GitHub`. */
  readonly platform: string;
  /**
   * Returns authorization headers. Called with `rejected: true` after a 401 to get new ones for a
   * single retry.
   */
  readonly authorize?: (call: ConnectorCall, rejected: boolean) => Promise<Readonly<Record<string, string>>>;
  /** Timeout in milliseconds for the headers, and for each piece of the body. */
  readonly timeoutMs?: number;
  /**
   * Detects platform-specific errors in any response (a 200 with an error, a 403 for a rate limit);
   * undefined: the status decides. `body` is parsed JSON, or text, of at most 64 KiB.
   */
  readonly errorOf?: (response: { status: number; headers: Headers; body: unknown }) => SourceError | undefined;
}

/**
 * Requests to a platform with deadlines and a few quick retries. All failures are `SourceError`. A
 * wait longer than two seconds is thrown as `rate` with `retryAt`.
 */
export interface SourceHttp {
  /** Requests JSON and validates it. */
  json<T>(call: ConnectorCall, request: SourceRequest, schema: z.ZodType<T>): Promise<SourceResponse<T>>;
  /**
   * Requests a body, which can be read once. It throws `transient` if it is interrupted or shorter
   * than declared.
   */
  download(call: ConnectorCall, request: SourceRequest): Promise<SourceResponse<AsyncIterable<Uint8Array>>>;
}
