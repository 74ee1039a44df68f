import { htmlPage, startWebServer } from '@lectern/testing';
import { webType } from '#web/web-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

/** Items per page of the site's index. */
const PER_INDEX = 500;

/** Corrupts the links of a page like the entries of a list. */
function corruptLinks(html: string, change: (json: string) => string): string {
  const link = /<a href="([^"]*)">/g;
  const entries = [...html.matchAll(link)].map(([, href]) => ({ href }));
  if (entries.length === 0) return html;
  const changed: unknown = JSON.parse(change(JSON.stringify(entries)));
  let at = 0;
  return html.replace(link, () => {
    const entry: unknown = Array.isArray(changed) ? changed[at++] : undefined;
    const href = typeof entry === 'object' && entry !== null && 'href' in entry ? entry.href : undefined;
    return href === undefined ? '<a>' : `<a href="${href}">`;
  });
}

runConformance({
  type: 'web',
  lacks: ['tokens', 'change feed', 'permissions', 'writing'],
  hasCredentials: false,
  start: async () => {
    const server = await startWebServer();
    const host = createTestHost({ allow: '127.0.0.1' });
    const items = new Map<string, { readonly title: string; readonly text: string }>();
    const pathOf = (name: string) => `/docs/${encodeURIComponent(name)}`;
    const idOf = (name: string) => new URL(pathOf(name), server.origin).href;
    const serve = () => {
      const paths = [...items.keys()];
      for (let from = 0; from === 0 || from < paths.length; from += PER_INDEX) {
        const links = paths.slice(from, from + PER_INDEX).map((id) => new URL(id).pathname);
        if (from + PER_INDEX < paths.length) links.push(`/index-${from + PER_INDEX}`);
        const head = '<meta name="robots" content="noindex">';
        server.page(from === 0 ? '/' : `/index-${from}`, htmlPage('Index', 'All pages', { links, head }));
      }
      // The suite looks for the text in the source of the page, where `<` is escaped.
      for (const [id, { title, text }] of items) {
        server.page(new URL(id).pathname, `${htmlPage(title, text)}<!-- ${text} -->`);
      }
    };
    serve();
    const put = (name: string, text: string) => {
      items.set(idOf(name), { title: name, text });
      return idOf(name);
    };
    const drop = (id: string) => {
      items.delete(id);
      server.remove(new URL(id).pathname);
    };
    const { rewrite: _, ...platform } = platformSource(server);
    return {
      ...platform,
      rewrite: (change) => {
        let number = 0;
        server.rewrite(
          change &&
            ((response) => {
              number += 1;
              if (typeof response.body !== 'string' || response.status !== 200) return response;
              const at = number;
              return { ...response, body: corruptLinks(response.body, (json) => change(json, at)) };
            }),
        );
      },
      open: () =>
        openType(
          webType,
          { startUrls: [server.origin], maxPages: 5_000, maxPagesPerPattern: 5_000, delayMs: 0 },
          {},
          host,
        ),
      add: async (wanted) => {
        const ids = wanted.map(({ name, text }) => put(name, text));
        serve();
        return ids;
      },
      change: async (id, text) => {
        items.set(id, { title: items.get(id)?.title ?? '', text });
        serve();
      },
      rename: async (id, name) => {
        const text = items.get(id)?.text ?? '';
        drop(id);
        const renamed = put(name, text);
        serve();
        return renamed;
      },
      remove: async (id) => {
        drop(id);
        serve();
      },
      stop: async () => {
        await server.stop();
        await host.close();
      },
    };
  },
});
