import { basename } from 'node:path/posix';
import type { ConnectorCall } from '#connector';
import type { SourceRef } from '#source';
import { SourceError } from '#source-error';
import { canonicalLink } from '#web/canonical-link';
import { linkTarget, normalizeUrl, readablePath } from '#web/crawl-url';
import { charsetOf, decodePage } from '#web/decode-page';
import { documentTypeOf, isHtml } from '#web/document-types';
import { isoTime } from '#web/iso-time';
import { type PageFacts, pageFacts } from '#web/page-facts';
import type { PageMemory } from '#web/page-memory';
import { conditionsOf, mergedHeaders, type RememberedPage, recall, remember } from '#web/remembered-page';
import type { Robots } from '#web/robots';
import { directivesOf } from '#web/robots-directives';
import type { Scope } from '#web/scope';
import { discard, NotModified, Redirected, readBytes, type WebHttp, type WebResponse, withinTime } from '#web/web-http';

const MAX_REDIRECTS = 5;
/** Larger pages are almost always generated data. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** The parts of a connector that requests need. */
export interface Site {
  readonly http: WebHttp;
  readonly robots: Robots;
  readonly scope: Scope;
  readonly pages: PageMemory;
  readonly maxItemBytes: number;
}

/** A URL that is not part of the connector. */
interface Outside {
  readonly kind: 'outside';
  readonly why: string;
  /** True if it redirects to a place that the connector cannot read. */
  readonly hasMoved: boolean;
}

/** A page or another document. */
export type Found =
  | {
      readonly kind: 'page';
      readonly id: string;
      readonly ref: SourceRef;
      readonly facts: PageFacts;
      /** The URL that the page names as its own, in a link or in a header. */
      readonly canonical: URL | undefined;
      /** False if the page must not become a document. */
      readonly indexable: boolean;
    }
  | {
      readonly kind: 'file';
      readonly id: string;
      readonly ref: SourceRef;
      readonly canonical: URL | undefined;
      readonly indexable: boolean;
    };

/** The result of a request for a page or a document. */
export type Visit = Outside | Found;

const outside = (why: string): Outside => ({ kind: 'outside', why, hasMoved: false });
const moved = (why: string): Outside => ({ kind: 'outside', why, hasMoved: true });

type Opened = Outside | { readonly kind: 'open'; readonly url: URL; readonly response: WebResponse };
type Unchanged = { readonly kind: 'unchanged'; readonly url: URL; readonly page: RememberedPage };

/**
 * Requests a URL and follows up to five redirects. Each hop must be on a host of the connector and
 * allowed by its paths and by `robots.txt`.
 */
async function follow<T>(
  { robots, scope }: Site,
  call: ConnectorCall,
  start: URL,
  { canRequest, request }: { canRequest(url: URL): boolean; request(url: URL): Promise<T> },
): Promise<Outside | T> {
  let url = start;
  const seen = new Set<string>();
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    if (!scope.hasHost(url)) return moved(`it redirects to ${url.host}, which is not a host of this connector`);
    if (!canRequest(url)) return outside('its path is not included');
    const policy = await robots.policy(call, url);
    if (!policy.allows(url)) return outside(`robots.txt of ${url.host} does not allow it`);
    if (seen.has(url.href)) break;
    seen.add(url.href);
    try {
      return await request(url);
    } catch (error) {
      if (!(error instanceof Redirected)) throw error;
      const next = linkTarget(error.location, url.href);
      if (next === undefined) return moved('it redirects to an invalid URL');
      if (url.protocol === 'https:' && next.protocol === 'http:') return moved('it redirects from https to http');
      url = next;
    }
  }
  throw new SourceError('invalid', `${start.href} redirects in a loop or more than ${MAX_REDIRECTS} times.`);
}

/** Requests a URL like `follow`, to read its content. */
export const openUrl = (
  site: Site,
  call: ConnectorCall,
  start: URL,
  canRequest: (url: URL) => boolean = site.scope.canRequest,
): Promise<Opened> => {
  const request = async (url: URL) => ({ kind: 'open' as const, url, response: await site.http.get(call, url) });
  return follow(site, call, start, { canRequest, request });
};

/** Requests a URL like `follow`, unless it has not changed since an earlier crawl. */
const openChanged = (site: Site, call: ConnectorCall, start: URL): Promise<Opened | Unchanged> => {
  const request = async (url: URL): Promise<Opened | Unchanged> => {
    const page = await recall(site.pages, url);
    if (page === undefined) return { kind: 'open', url, response: await site.http.get(call, url) };
    try {
      return { kind: 'open', url, response: await site.http.get(call, url, conditionsOf(page)) };
    } catch (error) {
      if (!(error instanceof NotModified)) throw error;
      return { kind: 'unchanged', url, page: { ...page, headers: mergedHeaders(page, error.headers) } };
    }
  };
  return follow(site, call, start, { canRequest: site.scope.canRequest, request });
};

const pathOf = (id: string): string => {
  const { host, pathname, search } = new URL(id);
  return `${host}${readablePath(pathname)}${search}`;
};

function fileVersion(headers: Headers): string | undefined {
  const etag = headers.get('etag');
  if (etag !== null) return `etag:${etag.replace(/^W\//, '')}`;
  const modified = headers.get('last-modified');
  return modified === null ? undefined : `modified:${modified}:${headers.get('content-length') ?? ''}`;
}

function refOfPage(id: string, headers: Headers, facts: PageFacts): SourceRef {
  const charset = charsetOf(headers.get('content-type'));
  const path = pathOf(id);
  return {
    id,
    path,
    version: `text:${facts.textHash}`,
    title: facts.title || path,
    url: id,
    // The profile selects the main content (packages/documents).
    mimeType: `text/html${charset === undefined ? '' : `;charset=${charset.toLowerCase()}`};profile=article`,
    updatedAt: isoTime(headers.get('last-modified')),
  };
}

function refOfFile(id: string, headers: Headers, mimeType: string): SourceRef {
  const path = pathOf(id);
  const size = Number(headers.get('content-length') ?? Number.NaN);
  const isSize = Number.isSafeInteger(size) && !headers.has('content-encoding');
  return {
    id,
    path,
    version: fileVersion(headers),
    title: basename(readablePath(new URL(id).pathname)) || path,
    url: id,
    sizeBytes: isSize ? size : undefined,
    mimeType,
    updatedAt: isoTime(headers.get('last-modified')),
  };
}

const isTransient = (error: unknown): error is SourceError =>
  error instanceof SourceError && error.kind === 'transient';

/**
 * Does work on a URL, and after a failure that can be the site's, requests `robots.txt` and does it
 * again. If the first of these fails, the site does not respond. If only the second one does, the URL
 * is broken, which is not `transient`; other work can continue.
 */
export async function withSecondTry<T>(
  { robots }: Pick<Site, 'robots'>,
  call: ConnectorCall,
  url: URL,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
  await robots.reload(call, url);
  try {
    return await work();
  } catch (error) {
    throw isTransient(error) ? new SourceError('invalid', error.message, { cause: error, mayRecover: true }) : error;
  }
}

/** Reads a page for its links, or only the headers of another document. */
export const visitPage = (site: Site, call: ConnectorCall, url: URL): Promise<Visit> =>
  withSecondTry(site, call, url, () => visitOnce(site, call, url));

/** Reads the facts of an opened page. Undefined for another document, of which only the headers matter. */
async function readFacts(site: Site, { url, response }: Extract<Opened, { kind: 'open' }>, what: string) {
  if (!isHtml(response.headers.get('content-type'))) {
    await discard(response);
    return undefined;
  }
  const bytes = await readBytes(response, Math.min(MAX_PAGE_BYTES, site.maxItemBytes), what);
  return pageFacts(decodePage(bytes, response.headers.get('content-type')), url);
}

/** Describes a page or another document that can be read at a URL. */
function describe({ scope }: Site, url: URL, { headers, facts: read }: RememberedPage): Visit {
  const id = normalizeUrl(url);
  const header = directivesOf([{ text: headers.get('x-robots-tag') ?? '', named: true }]);
  const linked = canonicalLink(headers.get('link'), url);
  const isIncluded = scope.includes(url) && !header.noindex;
  if (read !== undefined) {
    const facts = { ...read, nofollow: read.nofollow || header.nofollow };
    return {
      kind: 'page',
      id,
      facts,
      canonical: read.canonical ?? linked,
      indexable: isIncluded && !facts.noindex,
      ref: refOfPage(id, headers, facts),
    };
  }
  const mimeType = documentTypeOf(headers.get('content-type'), url);
  if (mimeType === undefined) return outside('its format is not supported');
  return { kind: 'file', id, canonical: linked, indexable: isIncluded, ref: refOfFile(id, headers, mimeType) };
}

function visitOnce(site: Site, call: ConnectorCall, start: URL): Promise<Visit> {
  return withinTime(call, { timeoutMs: TIMEOUT_MS, what: `The request for ${start.href}` }, async (limited) => {
    const opened = await openChanged(site, limited, start);
    if (opened.kind === 'outside') return opened;
    const { url } = opened;
    if (opened.kind === 'unchanged') return describe(site, url, opened.page);
    const page = { headers: opened.response.headers, facts: await readFacts(site, opened, start.href) };
    await remember(site.pages, url, page);
    return describe(site, url, page);
  });
}
