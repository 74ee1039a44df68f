import type { Span } from '#browser/marked-text';
import type { Settings } from '#browser/settings';

const TIMEOUT_MS = 10_000;

/** A document that was found. */
export interface Found {
  readonly documentId: string;
  readonly title: string;
  readonly excerpt: string;
  readonly highlights: readonly Span[];
  readonly url: string | null;
  readonly collectionName: string;
}

/** A failure in words for the person who searches. */
export class SearchFailure extends Error {}

function refusal(response: Response): SearchFailure {
  const seconds = Number(response.headers.get('Retry-After'));
  switch (response.status) {
    case 401:
      return new SearchFailure('Search is not set up: its key is not valid.');
    case 403:
      return new SearchFailure('This page may not search here.');
    case 429:
      return new SearchFailure(`Too many searches. Try again in ${Math.max(1, seconds || 0)} s.`);
    default:
      return new SearchFailure('Search is not possible right now. Try again shortly.');
  }
}

/** Searches. Throws `SearchFailure`, or whatever `signal` was aborted with. */
export async function search(settings: Settings, query: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { key, baseUrl, collections, limit } = settings;
  if (key === '') throw new SearchFailure('Search is not set up: it has no key.');
  // Whoever put it here has shown it to every visitor already, but it shall not work by that.
  if (key.startsWith('lectern_sk_')) {
    throw new SearchFailure('Search is not set up: a secret key must never stand in a page. Revoke it.');
  }
  const body = { query, limit, maxPassagesPerDocument: 1, ...(collections.length > 0 ? { collections } : {}) };
  try {
    const response = await fetch(`${baseUrl}/api/v1/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Key': key },
      body: JSON.stringify(body),
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw refusal(response);
    const answer: { data: { results: readonly Found[] } } = await response.json();
    return answer.data.results;
  } catch (error) {
    if (signal.aborted || error instanceof SearchFailure) throw error;
    // A browser shows a page no answer that was not meant for it, so a host that is not allowed looks like this too.
    throw new SearchFailure('Search cannot be reached from this page.');
  }
}
