import type { PageInfo } from '@lectern/contracts';
import type { PageMeta } from '#http/envelope';
import { etagOf } from '#http/if-match';

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: object;
  /** Where a client may go on after it, with `Last-Event-ID`. */
  readonly id?: string;
}

/** What an operation answers. */
export type Answer =
  | {
      readonly kind: 'data';
      readonly data: unknown;
      readonly page?: PageMeta;
      readonly headers?: Readonly<Record<string, string>>;
      /** Where it is not the operation's `success`: its `otherSuccess`. */
      readonly status?: number;
    }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<StreamEvent>; readonly patienceMs?: number }
  | { readonly kind: 'redirect'; readonly location: string }
  /** What another protocol than the API's own answers, as it is. */
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly contentType: string | null;
      readonly bytes: Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** An answer of one record. */
export function data(value: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'data', data: value, headers };
}

/**
 * Answers one record with its ETag. `shown`: the body, if it differs from the record. `status`: an
 * alternative success status.
 */
export function recordData(
  record: object,
  revision: string,
  { shown = record, status }: { readonly shown?: object; readonly status?: number } = {},
): Answer {
  const headers = { ETag: etagOf(record, revision) };
  return { kind: 'data', data: shown, headers, ...(status === undefined ? {} : { status }) };
}

/** An answer of a part of a list. */
export function page(items: unknown, info: PageInfo | undefined): Answer {
  const { page = 1, limit = 0, total = 0, hasMore = false } = info ?? {};
  return { kind: 'data', data: items, page: { page, limit, total, hasMore } };
}

/** An answer that sends a browser on (302). */
export function redirect(location: string): Answer {
  return { kind: 'redirect', location };
}

/**
 * An answer of Server-Sent Events. A failure before the first event is answered as any other; after `patienceMs` the answer begins without one
 * (`sendStream`).
 */
export function stream(
  events: AsyncIterable<StreamEvent>,
  { patienceMs }: { readonly patienceMs?: number } = {},
): Answer {
  return { kind: 'stream', events, ...(patienceMs === undefined ? {} : { patienceMs }) };
}

const REPLAYED = 'Idempotent-Replayed';

/** True for an answer that was given before. */
export const isReplayed = (answer: Answer): boolean =>
  answer.kind === 'data' && answer.headers?.[REPLAYED] !== undefined;

/** An answer that was given before. */
export function replayed(first: {
  readonly data: unknown;
  readonly page?: PageMeta | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly status?: number | undefined;
}): Answer {
  const headers = { ...first.headers, [REPLAYED]: 'true' };
  return {
    kind: 'data',
    data: first.data,
    headers,
    ...(first.page === undefined ? {} : { page: first.page }),
    ...(first.status === undefined ? {} : { status: first.status }),
  };
}
