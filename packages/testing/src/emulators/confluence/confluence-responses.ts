import type { ConfluenceModel } from '#emulators/confluence/confluence-model';
import type { PageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** The state of the emulator. */
export interface ConfluenceState {
  readonly model: ConfluenceModel;
  readonly cursors: PageTokens<number>;
  readonly origin: () => string;
  /** The maximum page size. */
  readonly pageSize: number;
  /** Page lists with a larger limit return a 500. */
  readonly heaviestLimit: number;
  /** Lists start with an empty page that has a `next`. */
  readonly emptyPages: boolean;
}

/** An error of the API v2. */
export const errorV2 = (status: number, code: string, title: string): PlatformResponse =>
  jsonResponse(status, { errors: [{ status, code, title, detail: null }] });

/** An error of the API v1. */
export const errorV1 = (status: number, message: string): PlatformResponse =>
  jsonResponse(status, { statusCode: status, data: { authorized: status !== 403, valid: true, errors: [] }, message });

export const notFoundV2 = (): PlatformError => new PlatformError(errorV2(404, 'NOT_FOUND', 'Not Found'));
export const notFoundV1 = (): PlatformError =>
  new PlatformError(errorV1(404, 'No content found with id, or you do not have permission to view it.'));

/** Returns the entry. Throws a 404 if it does not exist. */
export function must<T>(value: T | undefined, error: PlatformError): T {
  if (value === undefined) throw error;
  return value;
}

function limitOf(request: PlatformRequest, fallback: number, most: number): number {
  const text = request.query.get('limit');
  if (text === null) return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > most) {
    throw new PlatformError(errorV2(400, 'INVALID_REQUEST_PARAMETER', `limit must be between 1 and ${most}`));
  }
  return limit;
}

/**
 * Returns a page of a list with ascending numbers. The cursor contains the last number, so that deletions
 * do not make the next page skip entries.
 */
export function byCursor<T extends { readonly id: string }>(
  state: ConfluenceState,
  request: PlatformRequest,
  entries: readonly T[],
  options: { readonly heavy?: boolean; readonly most?: number } = {},
) {
  const listing = request.path;
  const limit = limitOf(request, 25, options.most ?? 250);
  if (options.heavy && limit > state.heaviestLimit) {
    throw new PlatformError(errorV2(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'));
  }
  const cursor = request.query.get('cursor');
  const after = cursor === null ? undefined : state.cursors.read(listing, cursor);
  if (cursor !== null && after === undefined) {
    throw new PlatformError(errorV2(400, 'INVALID_REQUEST_PARAMETER', 'Provided cursor is not valid'));
  }
  const numberOf = ({ id }: T) => Number(id.replace(/\D/g, ''));
  const rest = [...entries]
    .sort((a, b) => numberOf(a) - numberOf(b))
    .filter((entry) => numberOf(entry) > (after ?? -1));
  const empty = options.heavy && state.emptyPages && after === undefined;
  const page = empty ? [] : rest.slice(0, Math.min(limit, state.pageSize));
  const more = page.length < rest.length;
  const last = page.at(-1);
  const query = new URLSearchParams(request.query);
  query.set('cursor', state.cursors.issue(listing, last === undefined ? 0 : numberOf(last)));
  query.set('limit', String(limit));
  return { page, next: more ? `${request.path}?${query}` : undefined };
}

/** Returns a page of a list of the API v1, by `start` and `limit`. */
export function byStart<T>(state: ConfluenceState, request: PlatformRequest, entries: readonly T[], heavy = false) {
  const limit = limitOf(request, 25, 1_000);
  if (heavy && limit > state.heaviestLimit) throw new PlatformError(errorV1(500, 'Internal Server Error'));
  const start = Number(request.query.get('start') ?? 0);
  const size = Math.min(limit, state.pageSize);
  const page = entries.slice(start, start + size);
  const query = new URLSearchParams(request.query);
  query.set('start', String(start + size));
  query.set('limit', String(size));
  return { page, start, limit: size, query: start + size < entries.length ? query : undefined };
}
