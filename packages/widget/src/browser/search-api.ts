import { keyProblem } from '#browser/key-problem';
import type { Span } from '#browser/marked-text';
import type { Settings } from '#browser/settings';
import type { WidgetTexts } from '#browser/texts/texts';

const TIMEOUT_MS = 10_000;

/** A search result. */
export interface SearchResult {
  readonly documentId: string;
  readonly title: string;
  readonly excerpt: string;
  readonly highlights: readonly Span[];
  readonly url: string | null;
  readonly collectionName: string;
}

/** The results of a search. */
export interface Found {
  /** Names the search when a click is recorded. */
  readonly queryId: string | null;
  readonly results: readonly SearchResult[];
}

export const NOTHING: Found = { queryId: null, results: [] };

/** A failure whose message is shown to the visitor. */
export class SearchFailure extends Error {}

/** The server does not accept the key, for example because the user token has expired. */
export class KeyRejected extends SearchFailure {}

function failureOf(response: Response, texts: WidgetTexts): SearchFailure {
  const seconds = Number(response.headers.get('Retry-After'));
  switch (response.status) {
    case 401:
      return new KeyRejected(texts.keyRejected);
    case 403:
      return new SearchFailure(texts.forbidden);
    case 429:
      return new SearchFailure(texts.tooMany(Math.max(1, seconds || 0)));
    default:
      return new SearchFailure(texts.unavailable);
  }
}

function post({ key, baseUrl }: Settings, path: string, body: unknown, init: RequestInit): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'X-Service-Key': key };
  return fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body), credentials: 'omit', ...init });
}

/** Records that the visitor opened a result, also if the page is left. A failure has no effect for the visitor. */
export function recordClick(settings: Settings, queryId: string, rank: number): void {
  post(settings, '/api/v1/search/clicks', { queryId, rank }, { keepalive: true }).catch(() => undefined);
}

/** Searches. Throws `SearchFailure`, or the reason of the signal. */
export async function search(
  settings: Settings,
  texts: WidgetTexts,
  query: string,
  signal: AbortSignal,
): Promise<Found> {
  const { key, collections, limit } = settings;
  const problem = keyProblem(key, texts);
  if (problem !== undefined) throw new SearchFailure(problem);
  const requestBody = { query, limit, maxPassagesPerDocument: 1, ...(collections.length > 0 ? { collections } : {}) };
  try {
    const response = await post(settings, '/api/v1/search', requestBody, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw failureOf(response, texts);
    const body: { data: Found } = await response.json();
    return body.data;
  } catch (error) {
    if (signal.aborted || error instanceof SearchFailure) throw error;
    // Also if the host is not allowed: the browser then hides the response.
    throw new SearchFailure(texts.unreachable);
  }
}
