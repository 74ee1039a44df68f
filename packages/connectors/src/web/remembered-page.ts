import { z } from 'zod';
import { linkTarget } from '#web/crawl-url';
import type { PageFacts } from '#web/page-facts';
import type { PageMemory } from '#web/page-memory';

/** After this time, a page is read again even if its site reports no change. */
const KEPT_MS = 7 * 86_400_000;
/** A page with more links is read each time. */
const MAX_LINK_CHARS = 200_000;
/** The headers that describe a page. */
const KEPT_HEADERS = [
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'x-robots-tag',
] as const;
/** A response without content describes its own length and encoding, if any. */
const OF_BODY: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'content-type']);
const MAX_HEADER = 4_000;

const StoredPage = z.object({
  storedAt: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Only of pages, not of other documents. */
  facts: z
    .object({
      title: z.string(),
      links: z.array(z.string()),
      hasMoreLinks: z.boolean(),
      canonical: z.string().optional(),
      noindex: z.boolean(),
      nofollow: z.boolean(),
      textHash: z.string(),
    })
    .optional(),
});

/** A page as an earlier crawl read it. */
export interface RememberedPage {
  readonly headers: Headers;
  readonly facts: PageFacts | undefined;
}

/** Returns what an earlier crawl stored for a URL, unless that is too long ago. */
export async function recall(memory: PageMemory, url: URL): Promise<RememberedPage | undefined> {
  const { data } = StoredPage.safeParse(await memory.find(url.href));
  if (data === undefined || data.storedAt < Date.now() - KEPT_MS || data.storedAt > Date.now()) return undefined;
  const { facts } = data;
  const target = (text: string | undefined) => (text === undefined ? undefined : linkTarget(text, url.href));
  return {
    headers: new Headers(data.headers),
    facts: facts && {
      ...facts,
      links: facts.links.flatMap((link) => target(link) ?? []),
      canonical: target(facts.canonical),
    },
  };
}

/** Stores a page for the next crawl, if its site gave it a version that can be compared. */
export async function remember(memory: PageMemory, url: URL, { headers, facts }: RememberedPage): Promise<void> {
  if (!headers.has('etag') && !headers.has('last-modified')) return;
  if ((facts?.links ?? []).reduce((sum, { href }) => sum + href.length, 0) > MAX_LINK_CHARS) return;
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  if (kept.some(([, value]) => value.length > MAX_HEADER)) return;
  // URLs become texts in JSON.
  await memory.store(url.href, { storedAt: Date.now(), headers: kept, facts });
}

/** Removes what `recall` no longer returns. */
export const forgetOldPages = (memory: PageMemory): Promise<void> => memory.forget(new Date(Date.now() - KEPT_MS));

/** Returns the headers that make a request conditional. https://www.rfc-editor.org/rfc/rfc9110#section-13 */
export function conditionsOf({ headers }: RememberedPage): Record<string, string> {
  const etag = headers.get('etag');
  const modified = headers.get('last-modified');
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(modified === null ? {} : { 'if-modified-since': modified }),
  };
}

/** Returns the headers of an unchanged page, with what the response reports about it now. */
export function mergedHeaders({ headers }: RememberedPage, now: Headers): Headers {
  const merged = new Headers(headers);
  for (const name of KEPT_HEADERS) {
    const value = OF_BODY.has(name) ? null : now.get(name);
    if (value !== null) merged.set(name, value);
  }
  return merged;
}
