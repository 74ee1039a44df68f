import type { ConnectorCall } from '#connector';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';
import { linkTarget } from '#web/crawl-url';
import type { Frontier } from '#web/frontier';
import { readSitemap } from '#web/read-sitemap';
import { openUrl, type Site, withSecondTry } from '#web/visit-page';
import type { WebConfig } from '#web/web-config';
import { withinTime } from '#web/web-http';

/** The sitemaps of one crawl, and how deep an index of indexes can be. */
const MAX_SITEMAPS = 100;
const MAX_DEPTH = 2;
const TIMEOUT_MS = 300_000;

interface Sitemap {
  readonly url: URL;
  readonly depth: number;
  /** True if it is named in the settings of the connector. */
  readonly configured: boolean;
}

/** Returns the sitemaps of the settings, and those in `robots.txt` of each start URL's host. */
async function entrySitemaps(site: Site, config: WebConfig, call: ConnectorCall): Promise<readonly Sitemap[]> {
  const configured = (config.sitemaps ?? []).map((text) => ({ url: new URL(text), depth: 0, configured: true }));
  const origins = new Set(config.startUrls.map((text) => new URL(text).origin));
  const named: Sitemap[] = [];
  for (const origin of origins) {
    try {
      const { sitemaps } = await site.robots.policy(call, new URL(origin));
      for (const text of sitemaps) {
        const url = linkTarget(text, origin);
        if (url !== undefined && named.length < MAX_SITEMAPS) named.push({ url, depth: 0, configured: false });
      }
    } catch (error) {
      // The start URL itself fails with the same error.
      if (!(error instanceof SourceError) || error.retryable) throw error;
    }
  }
  return [...configured, ...named];
}

/** Queues the pages of a sitemap. Returns the sitemaps that it names. */
async function readOne(site: Site, call: ConnectorCall, frontier: Frontier, sitemap: Sitemap): Promise<readonly URL[]> {
  const { url, configured } = sitemap;
  return withinTime(call, { timeoutMs: TIMEOUT_MS, what: `The request for ${url.href}` }, async (limited) => {
    const opened = await openUrl(site, limited, url, site.scope.hasHost);
    if (opened.kind === 'outside') {
      if (!configured) return [];
      throw new SourceError('invalid', `The sitemap ${url.href} is not available: ${opened.why}.`);
    }
    const nested: URL[] = [];
    for await (const { kind, location, modifiedAt } of readSitemap(opened.response, `The sitemap ${url.href}`)) {
      const target = linkTarget(location, opened.url.href);
      if (target === undefined || !site.scope.hasHost(target)) continue;
      if (frontier.isFull) {
        frontier.markPartial();
        break;
      }
      if (kind === 'page') {
        if (site.scope.canRequest(target)) frontier.add(target, { depth: 0, source: 'entry', modifiedAt });
      } else if (nested.length < MAX_SITEMAPS) nested.push(target);
      else frontier.markPartial();
    }
    return nested;
  });
}

/** Queues the pages of all sitemaps. An invalid or unavailable sitemap is reported and hides pages. */
export async function* listSitemaps(
  site: Site,
  config: WebConfig,
  call: ConnectorCall,
  frontier: Frontier,
): AsyncGenerator<SourceEvent, void, void> {
  const queue = [...(await entrySitemaps(site, config, call))];
  const seen = new Set<string>();
  for (let sitemap = queue.shift(); sitemap !== undefined; sitemap = queue.shift()) {
    const { url, depth } = sitemap;
    if (seen.has(url.href)) continue;
    if (seen.size >= MAX_SITEMAPS || frontier.isFull) {
      frontier.markPartial();
      return;
    }
    seen.add(url.href);
    try {
      const nested = await withSecondTry(site, call, url, () => readOne(site, call, frontier, sitemap));
      if (depth < MAX_DEPTH) queue.push(...nested.map((next) => ({ url: next, depth: depth + 1, configured: false })));
      else if (nested.length > 0) frontier.markPartial();
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind === 'rate' || error.kind === 'transient') throw error;
      // Many sites name a sitemap that does not exist.
      if (error.kind === 'gone' && !sitemap.configured) continue;
      frontier.markPartial();
      yield { type: 'failed', id: url.href, path: url.href, error: { code: error.kind, message: error.message } };
    }
  }
}
