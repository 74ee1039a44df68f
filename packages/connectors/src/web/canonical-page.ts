import type { SourceRef } from '#source';
import { normalizeUrl } from '#web/crawl-url';
import type { Scope } from '#web/scope';

const MAX_HOPS = 3;

/** A page that can become a document, or the reason why it points elsewhere. */
export interface KnownPage {
  readonly id: string;
  readonly ref: SourceRef;
  readonly canonical: URL | undefined;
}

/** Returns the canonical URL of a page if it is another one that the connector can read. */
function target(page: KnownPage, scope: Scope): URL | undefined {
  const { canonical } = page;
  if (canonical === undefined || !scope.hasHost(canonical) || !scope.includes(canonical)) return undefined;
  return normalizeUrl(canonical) === page.id ? undefined : new URL(normalizeUrl(canonical));
}

/**
 * Follows canonical links to the page that represents this one. A target counts only if it can be
 * read and indexed under that URL; `read` returns undefined otherwise. Pages in a circle, or in a
 * chain of more than three links, represent themselves. So the result does not depend on the order
 * in which pages are found.
 */
export async function canonicalPage(
  page: KnownPage,
  scope: Scope,
  read: (url: URL) => Promise<KnownPage | undefined>,
): Promise<KnownPage> {
  const trail = new Set([page.id]);
  let at = page;
  for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
    const url = target(at, scope);
    if (url === undefined) return at;
    if (trail.has(url.href) || hops === MAX_HOPS) return page;
    const next = await read(url);
    if (next === undefined || next.id !== url.href) return at;
    trail.add(next.id);
    at = next;
  }
  return page;
}
