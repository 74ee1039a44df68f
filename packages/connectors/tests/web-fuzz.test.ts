import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCount, startWebServer, type WebPage, type WebServer } from '@lectern/testing';
import fc from 'fast-check';
import { normalizeUrl } from '#web/crawl-url';
import { pageFacts } from '#web/page-facts';
import { webType } from '#web/web-type';
import { openType } from './support/open-type.ts';
import { call, collect, idsOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

/** Pages of one site: together with `runs`, more than 1,000 generated pages. */
const PAGES = 60;
const MAX_PAGES = 1_000;
const MAX_PER_PATTERN = 12;

/** What a generated page is. Links are numbers of pages, or what has no page. */
interface Node {
  readonly kind:
    | 'page'
    | 'redirect'
    | 'private'
    | 'calendar'
    | 'session'
    | 'giant'
    | 'charset'
    | 'malformed'
    | 'error'
    | 'noindex';
  readonly links: readonly number[];
  readonly traps: readonly Trap[];
}

const TRAPS = {
  off: 'http://off.invalid/x',
  other: (other: string) => `${other}/x`,
  otherScheme: (_: string, own: string) => `//${new URL(own).hostname}:1/x`,
  javascript: "javascript:fetch('/private/js')",
  data: 'data:text/html,<a href=/private/data>x</a>',
  user: (_: string, own: string) => own.replace('//', '//user:password@'),
  backslash: (other: string) => `\\\\${new URL(other).host}\\x`,
  tabs: (other: string) => `ht\ttp:\n//${new URL(other).host}/x`,
  private: '/private/direct',
  encoded: '/p%72ivate/encoded',
  dots: '/open/../private/dots',
  query: '/search?q=1&print=yes',
  long: `/${'x'.repeat(5_000)}`,
  empty: '',
  invalid: 'http://[::1',
} as const;
type Trap = keyof typeof TRAPS;

const node: fc.Arbitrary<Node> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('page' as const) },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'redirect' as const,
        'private' as const,
        'calendar' as const,
        'session' as const,
        'giant' as const,
        'charset' as const,
        'malformed' as const,
        'error' as const,
        'noindex' as const,
      ),
    },
  ),
  links: fc.array(fc.nat(PAGES - 1), { maxLength: 6 }),
  traps: fc.array(fc.constantFrom(...(Object.keys(TRAPS) as Trap[])), { maxLength: 4 }),
});

interface Graph {
  readonly nodes: readonly Node[];
  readonly sitemap: 'none' | 'good' | 'bomb' | 'entities' | 'endless';
}
const graphs: fc.Arbitrary<Graph> = fc.record({
  nodes: fc.array(node, { minLength: PAGES, maxLength: PAGES }),
  sitemap: fc.constantFrom('none', 'good', 'bomb', 'entities', 'endless'),
});

const pathOf = ({ kind }: Node, at: number): string => {
  if (at === 0) return '/';
  if (kind === 'private') return `/private/page-${at}`;
  const name = `${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10)]}`;
  return kind === 'calendar' ? `/calendar/${name}?day=0` : `/${kind}/${name}`;
};

const isForbidden = (path: string) => path.startsWith('/private') || /[?&]print=/.test(path);
const ROBOTS = 'User-agent: *\nDisallow: /private\nDisallow: /*print=\n';

/** Serves a graph, and returns what a crawler should find. */
function serve({ nodes: generated, sitemap }: Graph, server: WebServer, other: WebServer) {
  // The start page always can be read.
  const nodes = generated.map((each, at): Node => (at === 0 ? { ...each, kind: 'page' } : each));
  const paths = nodes.map(pathOf);
  const hrefs = ({ links, traps }: Node): string[] => [
    ...links.map((to) => paths[to]!),
    ...traps.map((name) => {
      const trap = TRAPS[name];
      return typeof trap === 'string' ? trap : trap(other.origin, server.origin);
    }),
  ];
  const anchors = (links: readonly string[]) =>
    links.map((href) => `<a href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">x</a>`).join('');
  const answers = new Map<string, WebPage | string>();
  for (const [at, each] of nodes.entries()) {
    const links = anchors(hrefs(each));
    const to = each.links[0] === undefined ? paths[at]! : paths[each.links[0]]!;
    answers.set(
      paths[at]!,
      {
        page: `<title>${at}</title><p>Page ${at}</p>${links}`,
        redirect: { status: [301, 302, 303, 307, 308][at % 5]!, headers: { location: to }, body: links },
        private: `<title>${at}</title>${links}`,
        calendar: '',
        session: `<title>${at}</title>${links}<a href="${paths[at]}?PHPSESSID=${at}&utm_source=x">s</a><a href="${paths[at]};jsessionid=${at}">t</a>`,
        giant: `${links}<p>${'giant '.repeat(1_000_000)}`,
        charset: {
          headers: { 'content-type': `text/html; charset=${['utf-16', 'klingon', 'shift_jis', ''][at % 4]}` },
          body: Buffer.from(`<title>ü${at}</title>${links}`, 'latin1'),
        },
        malformed: `<<html><a <b>></i><!-- > --><title>${at}<p></title><table>${'<div><font>'.repeat(2_000)}${links}<a href='unclosed`,
        error: { status: [404, 410, 403, 400][at % 4]!, body: links },
        noindex: `<meta name=robots content="noindex">${links}`,
      }[each.kind],
    );
  }
  // Calendars have a next day without end, and session ids change with each request.
  let requests = 0;
  server.fallback((path) => {
    requests += 1;
    const known = answers.get(path);
    if (path.startsWith('/calendar')) {
      const day = Number(/day=(\d+)/.exec(path)?.[1] ?? 0) + 1;
      const calendar = path.split('?', 1)[0];
      const from = paths.indexOf(`${calendar}?day=0`);
      const links = [`${calendar}?day=${day}`, ...hrefs(nodes[from]!)];
      return `<title>Day ${day}</title>${anchors(links)}`;
    }
    if (known !== undefined) return known;
    if (/PHPSESSID|jsessionid/.test(path)) return `<title>session ${requests}</title>`;
    if (path === '/sitemap.xml') {
      const xml = { 'content-type': 'application/xml' };
      const locations = [0, 1, 2, 3].map(
        (at) => `<url><loc>${server.origin}${paths[at]!.replaceAll('&', '&amp;')}</loc></url>`,
      );
      locations.push(`<url><loc>${other.origin}/x</loc></url><url><loc>${server.origin}/private/map</loc></url>`);
      if (sitemap === 'good') return { headers: xml, body: `<urlset>${locations.join('')}</urlset>` };
      if (sitemap === 'bomb') return { headers: xml, body: BOMB };
      if (sitemap === 'entities')
        return { headers: xml, body: `<!DOCTYPE x [<!ENTITY a "aaaa">]><urlset><url><loc>&a;</loc></url></urlset>` };
    }
    if (path.startsWith('/sitemap') && sitemap === 'endless') {
      const number = Number(/\d+/.exec(path)?.[0] ?? 0);
      const next = [1, 2, 3].map(
        (more) => `<sitemap><loc>${server.origin}/sitemap-${number * 3 + more}.xml</loc></sitemap>`,
      );
      return { headers: { 'content-type': 'text/xml' }, body: `<sitemapindex>${next.join('')}</sitemapindex>` };
    }
    return undefined;
  });
  server.robots(sitemap === 'none' ? ROBOTS : `${ROBOTS}Sitemap: ${server.origin}/sitemap.xml\n`);
  return { nodes, paths };
}

const BOMB = gzipSync(Buffer.alloc(52 * 1024 * 1024, 32));

/**
 * The reference: a set of reachable pages, without limits, requests or parsing. Calendars are
 * entered but not followed, and their later days are left out.
 */
function expectedPages({ nodes, paths }: ReturnType<typeof serve>, entries: readonly number[]): string[] {
  /** The page to which redirects lead; undefined if they never end or lead to one that is not allowed. */
  const landing = (from: number): number | undefined => {
    let at = from;
    for (let hops = 0; hops <= 5; hops += 1) {
      if (isForbidden(paths[at]!)) return undefined;
      if (nodes[at]!.kind !== 'redirect') return at;
      at = nodes[at]!.links[0] ?? at;
    }
    return undefined;
  };
  const found = new Set<number>();
  const queue = [...entries];
  for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
    const at = landing(from);
    if (at === undefined || found.has(at)) continue;
    if (['error', 'giant', 'private'].includes(nodes[at]!.kind)) continue;
    found.add(at);
    queue.push(...nodes[at]!.links);
  }
  return [...found].filter((at) => !['noindex', 'calendar'].includes(nodes[at]!.kind)).map((at) => paths[at]!);
}

describe('a crawl of generated sites', () => {
  let server: WebServer;
  let other: WebServer;
  let host: TestHost;
  beforeAll(async () => {
    [server, other] = await Promise.all([startWebServer(), startWebServer()]);
    host = createTestHost({ allow: '127.0.0.1' });
  });
  afterAll(() => Promise.all([server.stop(), other.stop(), host.close()]));

  it('finds the expected pages, stays on its hosts, obeys robots.txt and ends', async () => {
    let pages = 0;
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const served = serve(graph, server, other);
        server.forget();
        const config = {
          startUrls: [server.origin],
          ...{ maxPages: MAX_PAGES, maxDepth: 100, maxPagesPerPattern: MAX_PER_PATTERN, delayMs: 0 },
        };
        const events = await collect(openType(webType, config, {}, host).list(call));
        pages += graph.nodes.length;
        const requested = server.requests.map(({ url }) => url);
        expect(other.requests).toEqual([]);
        expect(requested.filter(isForbidden)).toEqual([]);
        // Each URL of the queue is requested once, with five redirects at most.
        expect(requested.filter((path) => !/^\/(robots\.txt|sitemap)/.test(path)).length).toBeLessThanOrEqual(
          6 * MAX_PAGES,
        );
        const days = new Set(requested.filter((path) => path.startsWith('/calendar')));
        const calendars = new Set([...days].map((path) => path.split('?', 1)[0]));
        // Besides linked days, the first one can be in the sitemap or the target of a redirect.
        expect(days.size).toBeLessThanOrEqual(calendars.size * (MAX_PER_PATTERN + 1));
        const expected = expectedPages(served, graph.sitemap === 'good' ? [0, 1, 2, 3] : [0]);
        const listed = idsOf(events).map((id) => id.slice(server.origin.length));
        expect(new Set(listed).size).toBe(listed.length);
        expect(listed.filter((path) => !path.startsWith('/calendar')).sort()).toEqual(expected.sort());
        expect(events.at(-1)).toMatchObject({ type: 'complete', confirmGone: true });
      }),
      { numRuns: runCount({ quick: 20, full: 100 }) },
    );
    expect(pages).toBeGreaterThanOrEqual(1_000);
  });
});

describe('the reader of pages', () => {
  const fragments = fc.constantFrom(
    ...['<a href=', '"', "'", '>', '</a', '<script>', '</script>', '<!--', '-->', '<base href=', '<title>', '</title>'],
    ...[
      '&#x1F600;',
      '&amp',
      '&#0;',
      '<meta name=robots content=',
      'noindex',
      '<![CDATA[',
      ']]>',
      '<svg>',
      '\0',
      '/x',
      ' ',
    ],
    ...[
      'http://[',
      'javascript:x',
      '//h/',
      '<plaintext>',
      '<textarea>',
      '\ud800',
      '<link rel=canonical href=',
      '<style>',
    ],
  );
  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fragments, fc.string()), { maxLength: 40 }), (parts) => {
        const facts = pageFacts(parts.join(''), new URL('https://example.com/a'));
        for (const { protocol, hash, username } of facts.links) {
          expect(protocol).toMatch(/^https?:$/);
          expect(hash + username).toBe('');
        }
        expect(facts.textHash).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: runCount({ quick: 500, full: 5_000 }) },
    );
  });

  it.each([
    ['open tags that are closed in another order', '<b>', '</i>'],
    ['comments that are never closed', '<!--', '<!-'],
    ['attributes without end', '<a ', 'href="x" '],
    ['nested lists', '<ul><li>', '</ul>'],
    ['entities', '&amp', '&#x26;'],
    ['scripts', '<script><', '</scrip'],
    ['spaces in a title', '<title>', ' '],
    ['charset declarations', '<meta charset=', 'charset '],
  ])('takes time in proportion to the size of a page with %s', (_, first, second) => {
    const html = first.repeat(200_000) + second.repeat(400_000);
    const startedAt = performance.now();
    pageFacts(html, new URL('https://example.com/'));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('the normal form of a URL', () => {
  it('is stable, stays on the host and drops the fragment', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const url = new URL(text);
        const normal = normalizeUrl(url);
        expect(normalizeUrl(new URL(normal))).toBe(normal);
        expect(new URL(normal).host).toBe(url.host);
        expect(new URL(normal).hash).toBe('');
      }),
    );
  });
});
