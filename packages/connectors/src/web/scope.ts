import { createPathFilter } from '#settings/path-filter';
import { normalizeUrl, readablePath } from '#web/crawl-url';
import { hostsOf, type WebConfig } from '#web/web-config';

/** Which URLs belong to a connector, before `robots.txt` is considered. */
export interface Scope {
  /** True for the hosts of the connector. */
  hasHost(url: URL): boolean;
  /** True for URLs that become documents. */
  includes(url: URL): boolean;
  /** True for URLs that can be requested. Start URLs are, even if they do not become documents. */
  canRequest(url: URL): boolean;
  isStart(id: string): boolean;
}

const withSlash = (patterns: readonly string[]) =>
  patterns.map((pattern) => pattern.replace(/^(!?)https?:\/\/[^/]+/i, '$1'));

export function createScope(config: WebConfig): Scope {
  const hosts = hostsOf(config);
  const starts = new Set(config.startUrls.map((url) => normalizeUrl(new URL(url))));
  const included = createPathFilter(withSlash(config.include ?? []));
  const excluded = createPathFilter(withSlash(config.exclude ?? []));
  const hasExclusions = (config.exclude ?? []).length > 0;
  const hasHost = ({ host }: URL) => hosts.has(host);
  const isExcluded = (path: string) => hasExclusions && excluded(path);
  const pathOf = ({ pathname }: URL) => readablePath(pathname).replace(/^\/+/, '');
  const includes = (url: URL) => hasHost(url) && included(pathOf(url)) && !isExcluded(pathOf(url));
  return {
    hasHost,
    includes,
    canRequest: (url) => includes(url) || (hasHost(url) && starts.has(normalizeUrl(url)) && !isExcluded(pathOf(url))),
    isStart: (id) => starts.has(id),
  };
}
