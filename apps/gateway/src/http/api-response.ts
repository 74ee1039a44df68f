import type { PageInfo } from '@lectern/contracts';
import type { PageMeta } from '#http/envelope';
import { etagOf } from '#http/if-match';
import type { StreamFormat } from '#http/stream-format';

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: object;
  /** The id with which a client can resume after this event (`Last-Event-ID`). */
  readonly id?: string;
}

/** The result of an operation. */
export type ApiResponse =
  | {
      readonly kind: 'data';
      readonly data: unknown;
      readonly page?: PageMeta;
      readonly headers?: Readonly<Record<string, string>>;
      /** Set if it differs from the operation's `success`. */
      readonly status?: number;
    }
  | {
      readonly kind: 'stream';
      readonly events: AsyncIterable<StreamEvent>;
      readonly waitMs?: number;
      readonly format?: StreamFormat;
    }
  /** JSON Lines: one record per line. */
  | { readonly kind: 'lines'; readonly records: AsyncIterable<object> }
  | { readonly kind: 'redirect'; readonly location: string }
  /** A response in another format than that of the API. */
  | {
      readonly kind: 'body';
      readonly status: number;
      readonly contentType: string | null;
      readonly body: ReadableStream<Uint8Array>;
      /** Called when the body was sent or the client has disconnected. */
      readonly onEnd: () => Promise<void>;
    }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly contentType: string | null;
      readonly bytes: Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A response with one record. */
export function data(value: object, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return { kind: 'data', data: value, headers };
}

/**
 * A response with one record and its ETag. `shown` is the body, if it differs from the record.
 * `status` is an alternative success status.
 */
export function recordData(
  record: object,
  revision: string,
  { shown = record, status }: { readonly shown?: object; readonly status?: number } = {},
): ApiResponse {
  const headers = { ETag: etagOf(record, revision) };
  return { kind: 'data', data: shown, headers, ...(status === undefined ? {} : { status }) };
}

/** A response with one page of a list. */
export function page(items: unknown, info: PageInfo | undefined): ApiResponse {
  const { page = 1, limit = 0, total = 0, hasMore = false } = info ?? {};
  return { kind: 'data', data: items, page: { page, limit, total, hasMore } };
}

/** A redirect (302). */
export function redirect(location: string): ApiResponse {
  return { kind: 'redirect', location };
}

/**
 * A response with Server-Sent Events. A failure before the first event is a plain HTTP error,
 * unless `waitMs` has passed (`sendStream`).
 */
export function stream(events: AsyncIterable<StreamEvent>, { waitMs }: { readonly waitMs?: number } = {}): ApiResponse {
  return { kind: 'stream', events, ...(waitMs === undefined ? {} : { waitMs }) };
}

/** A response with JSON Lines. */
export const lines = (records: AsyncIterable<object>): ApiResponse => ({ kind: 'lines', records });

const REPLAYED = 'Idempotent-Replayed';

/** True for a replayed response. */
export const isReplayed = (response: ApiResponse): boolean =>
  (response.kind === 'data' || response.kind === 'bytes') && response.headers?.[REPLAYED] !== undefined;

/** Replays a stored response. */
export function replayed(first: {
  readonly data: unknown;
  readonly page?: PageMeta | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly status?: number | undefined;
}): ApiResponse {
  const headers = { ...first.headers, [REPLAYED]: 'true' };
  return {
    kind: 'data',
    data: first.data,
    headers,
    ...(first.page === undefined ? {} : { page: first.page }),
    ...(first.status === undefined ? {} : { status: first.status }),
  };
}
