import type { ConnectorCall } from '#connector';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';
import { canonicalPage, type KnownPage } from '#web/canonical-page';
import { normalizeUrl } from '#web/crawl-url';
import { createFrontier, type Frontier, type QueuedUrl } from '#web/frontier';
import { listSitemaps } from '#web/list-sitemaps';
import { forgetOldPages } from '#web/remembered-page';
import { type Found, type Site, type Visit, visitPage } from '#web/visit-page';
import type { WebConfig } from '#web/web-config';

const PAGES_BETWEEN_CHECKPOINTS = 25;
/** A checkpoint contains the whole frontier: on large sites, it is written less often. */
const SHARE_BETWEEN_CHECKPOINTS = 0.05;
const MS_BETWEEN_CHECKPOINTS = 60_000;

const failedEvent = (id: string, { kind, message }: SourceError): SourceEvent => ({
  type: 'failed',
  id,
  path: id,
  error: { code: kind, message },
});

/** Errors of one page. All others concern the site or the call. */
const isOfPage = (error: unknown): error is SourceError =>
  error instanceof SourceError && error.kind !== 'rate' && error.kind !== 'auth' && error.kind !== 'transient';

/** A crawl in progress. */
interface Crawl {
  readonly site: Site;
  readonly call: ConnectorCall;
  readonly frontier: Frontier;
  /** The pages read in this process, so that a canonical target is not requested again. */
  readonly known: Map<string, KnownPage | undefined>;
}

/** Requests a URL. A broken page is an error in the result; if the site fails, throws. */
async function visit({ site, call }: Crawl, url: URL): Promise<Visit | SourceError> {
  try {
    return await visitPage(site, call, url);
  } catch (error) {
    if (!isOfPage(error)) throw error;
    return error;
  }
}

const knownPage = (found: Found): KnownPage | undefined =>
  found.indexable ? { id: found.id, ref: found.ref, canonical: found.canonical } : undefined;

/** Queues the links of a page. Returns the page if it can be indexed. */
function absorb({ site, frontier, known }: Crawl, found: Found, depth: number): KnownPage | undefined {
  frontier.markWorking();
  frontier.markDone(found.id);
  const page = knownPage(found);
  known.set(found.id, page);
  if (found.kind !== 'page' || found.facts.nofollow) return page;
  if (found.facts.hasMoreLinks) frontier.markPartial();
  for (const url of found.facts.links) {
    if (site.scope.canRequest(url)) frontier.add(url, { depth: depth + 1, source: 'link' });
  }
  return page;
}

/** Reads the target of a canonical link; undefined if it cannot be a document. */
async function readTarget(crawl: Crawl, url: URL, depth: number): Promise<KnownPage | undefined> {
  if (crawl.known.has(url.href)) return crawl.known.get(url.href);
  if (!crawl.frontier.countRequest()) {
    crawl.frontier.markPartial();
    return undefined;
  }
  const found = await visit(crawl, url);
  const page = found instanceof SourceError || found.kind === 'outside' ? undefined : absorb(crawl, found, depth);
  crawl.known.set(url.href, page);
  return page;
}

/** Reads one URL of the queue, and yields its item or its failure. */
async function* readQueued(crawl: Crawl, entry: QueuedUrl): AsyncGenerator<SourceEvent, void, void> {
  const { site, frontier } = crawl;
  const found = await visit(crawl, new URL(entry.id));
  const isStart = site.scope.isStart(entry.id);
  crawl.known.set(entry.id, undefined);
  if (found instanceof SourceError) {
    // A broken link is not a failure of the crawl.
    if (found.kind === 'gone' && !isStart) return;
    // Other pages may be missing until the page can be read again.
    if (isStart || found.mayRecover) frontier.markPartial();
    yield failedEvent(entry.id, found);
    return;
  }
  if (found.kind === 'outside') {
    if (!isStart) return;
    frontier.markPartial();
    const message = `${entry.id} cannot be crawled: ${found.why}. Change the start URL or the hosts of the connector.`;
    yield failedEvent(entry.id, new SourceError('invalid', message));
    return;
  }
  const page = absorb(crawl, found, entry.depth);
  crawl.known.set(entry.id, page);
  // Targets of canonical links are not requested again, so they are listed here too.
  const pages = page === undefined ? [] : [page];
  for (const each of pages) {
    const shown = await canonicalPage(each, site.scope, async (url) => {
      const isNew = !crawl.known.has(url.href);
      const target = await readTarget(crawl, url, entry.depth);
      if (isNew && target !== undefined) pages.push(target);
      return target;
    });
    if (!frontier.markListed(shown.id)) continue;
    const updatedAt = (shown === page ? entry.modifiedAt : undefined) ?? shown.ref.updatedAt;
    yield { type: 'item', ref: { ...shown.ref, updatedAt } };
  }
}

/**
 * Lists a site breadth first. It is authoritative unless a start URL, a sitemap or a page that may
 * recover failed, or a limit was reached; even then, a missing page is deleted only if the site
 * confirms that it is gone.
 */
export async function* crawl(
  site: Site,
  config: WebConfig,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const frontier = createFrontier(config, from);
  site.robots.forget();
  if (from === undefined) {
    for (const text of config.startUrls) frontier.add(new URL(text), { depth: 0, source: 'entry' });
    yield* listSitemaps(site, config, call, frontier);
    yield { type: 'checkpoint', at: frontier.checkpoint() };
  }
  const current: Crawl = { site, call, frontier, known: new Map() };
  let firstFailure: SourceEvent | undefined;
  let stored = { requested: frontier.requested, at: Date.now() };
  for (let entry = frontier.next(); entry !== undefined; entry = frontier.next()) {
    call.signal.throwIfAborted();
    for await (const event of readQueued(current, entry)) {
      if (event.type === 'failed') firstFailure ??= event;
      yield event;
    }
    const pages = frontier.requested - stored.requested;
    const isDue = pages >= Math.max(PAGES_BETWEEN_CHECKPOINTS, frontier.requested * SHARE_BETWEEN_CHECKPOINTS);
    if (!isDue && Date.now() - stored.at < MS_BETWEEN_CHECKPOINTS) continue;
    yield { type: 'checkpoint', at: frontier.checkpoint() };
    stored = { requested: frontier.requested, at: Date.now() };
  }
  // Nothing could be read at all: that is a problem of the settings or the site, not of a page.
  if (!frontier.works && firstFailure?.type === 'failed') {
    throw new SourceError('invalid', firstFailure.error.message);
  }
  await forgetOldPages(site.pages);
  yield { type: 'complete', authoritative: !frontier.isPartial, confirmGone: true };
}

/** Returns the page that represents a URL, outside of a crawl. */
export async function findPage(site: Site, call: ConnectorCall, url: URL): Promise<KnownPage | undefined> {
  const read = async (target: URL): Promise<KnownPage | undefined> => {
    const found = await visitPage(site, call, target);
    if (found.kind !== 'outside') return knownPage(found);
    if (!found.hasMoved) return undefined;
    // The page was not deleted: the site moved it, or hides it behind another host.
    throw new SourceError('invalid', `${target.href} is not available: ${found.why}.`);
  };
  const page = await read(url);
  if (page === undefined) return undefined;
  return canonicalPage(page, site.scope, async (target) => {
    try {
      return await read(target);
    } catch (error) {
      if (!isOfPage(error)) throw error;
      return undefined;
    }
  });
}

/** Returns the normal form of the name of a page; undefined if it is not a URL. */
export function idOfUrl(name: string): string | undefined {
  const url = /^https?:\/\//i.test(name) ? URL.parse(name) : null;
  return url === null ? undefined : normalizeUrl(url);
}
