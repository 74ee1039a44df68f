import { basename } from 'node:path/posix';
import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';
import { crawl, findPage, idOfUrl } from '#web/crawl';
import { linkTarget, normalizeUrl, readablePath } from '#web/crawl-url';
import { isHtml } from '#web/document-types';
import { createHostPace } from '#web/host-pace';
import { createRobots } from '#web/robots';
import { createScope } from '#web/scope';
import { openUrl, type Site, visitPage } from '#web/visit-page';
import { DEFAULTS, type WebConfig } from '#web/web-config';
import { createWebHttp, discard } from '#web/web-http';

/** Opens the pages and documents of websites. Item ids are normalized URLs. */
export function openWeb(config: WebConfig, host: Pick<ConnectorHost, 'egress' | 'maxItemBytes' | 'pages'>): Connector {
  const pace = createHostPace(config.delayMs ?? DEFAULTS.delayMs);
  const http = createWebHttp(host, pace);
  const scope = createScope(config);
  const { maxItemBytes, pages } = host;
  const site: Site = { http, scope, robots: createRobots(http, scope, pace), maxItemBytes, pages };

  const check = async (call: ConnectorCall, start: string): Promise<string> => {
    const found = await visitPage(site, call, new URL(start));
    if (found.kind !== 'outside') return `${start} can be read.`;
    const message = `${start} cannot be crawled: ${found.why}. Change the start URL or the hosts of the connector.`;
    throw new SourceError('invalid', message);
  };

  const resolve = async (call: ConnectorCall, name: string): Promise<SourceRef | null> => {
    const id = idOfUrl(name);
    const url = id === undefined ? undefined : linkTarget(id, id);
    if (url === undefined || !scope.canRequest(url)) return null;
    try {
      return (await findPage(site, call, url))?.ref ?? null;
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'gone') return null;
      throw error;
    }
  };

  const fetch = async (call: ConnectorCall, ref: SourceRef): Promise<SourceContent> => {
    const opened = await openUrl(site, call, new URL(ref.id));
    if (opened.kind === 'outside') {
      throw new SourceError('gone', `${ref.path} is no longer part of this connector: ${opened.why}.`);
    }
    const { url, response } = opened;
    if (normalizeUrl(url) !== ref.id) {
      await discard(response);
      throw new SourceError('gone', `${ref.path} has moved to ${url.href}.`);
    }
    const name = basename(readablePath(url.pathname)).slice(-200);
    const isPage = isHtml(response.headers.get('content-type')) && !/\.x?html?$/i.test(name);
    // The name of a page can end like another format, for example `.php` or `.md`.
    const fileName = isPage ? `${name || 'index'}.html` : name || 'document';
    return { body: response.body, fileName, metadata: { host: url.host } };
  };

  return {
    test: (call) => runChecks(config.startUrls.map((start) => [new URL(start).host, () => check(call, start)])),
    list: (call, from) => crawl(site, config, call, from),
    resolve,
    idOf: (name) => idOfUrl(name) ?? name,
    fetch,
  };
}
