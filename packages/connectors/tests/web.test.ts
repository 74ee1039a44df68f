import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { htmlPage, startWebServer, type WebServer } from '@lectern/testing';
import type { SourceEvent } from '#source';
import { webType } from '#web/web-type';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, readBody, refsOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

let server: WebServer;
let other: WebServer;
let host: TestHost;
beforeEach(async () => {
  [server, other] = await Promise.all([startWebServer(), startWebServer()]);
  host = createTestHost({ allow: '127.0.0.1' });
});
afterEach(async () => {
  await Promise.all([server.stop(), other.stop(), host.close()]);
});

const open = (config: object = {}) =>
  openType(webType, { startUrls: [`${server.origin}/`], delayMs: 0, ...config }, {}, host);
const url = (path: string, at = server) => `${at.origin}${path}`;
const paths = (events: readonly SourceEvent[]) =>
  idsOf(events)
    .map((id) => id.replace(server.origin, ''))
    .sort();
const listed = async (config: object = {}) => paths(await collect(open(config).list(call)));
const failures = (events: readonly SourceEvent[]) =>
  events.flatMap((event) => (event.type === 'failed' ? [event] : []));
const end = (events: readonly SourceEvent[]) => events.at(-1);
const requested = (at = server) => at.requests.map((request) => request.url);
const site = (pages: Readonly<Record<string, readonly string[]>>) => {
  for (const [path, links] of Object.entries(pages))
    server.page(path, htmlPage(`Page ${path}`, `About ${path}`, { links }));
};

describe('a crawl', () => {
  it('lists the linked pages of its hosts once, without fragments and tracking parameters', async () => {
    const visit = ';jsessionid=1?PHPSESSID=2&utm_source=x&id=7#top';
    site({ '/': ['/a', 'a#top', '/b/../a', `/s${visit}`, url('/x', other)], '/a': ['/'], '/s?id=7': [`/s${visit}`] });
    const events = await collect(open().list(call));
    expect(paths(events)).toEqual(['/', '/a', '/s?id=7']);
    expect(end(events)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    expect(other.requests).toEqual([]);
    expect(refsOf(events)[0]).toMatchObject({ title: 'Page /', url: url('/'), path: `${server.host}/` });
  });

  it('recognizes session ids by their names and generated values', async () => {
    const links = [
      '/a?sessid=0a1b2c3d4e5f6071',
      '/a?my_session=6f1c2a9e-0b7d-4c33-9a51-2f8e7d6c5b4a',
      '/a?osCsid=q7v3k1m0t5r2n8s4u6p9',
      '/a?zenid=Zk3fQ9-x2LbT7_w1Rc8Hn4',
      '/(S(lit3py55t21z5v55vlm25s55))/a',
    ];
    const kept = [
      '/a?resid=0a1b2c3d4e5f6071',
      '/a?session=12',
      '/a?session=2024112009300001',
      '/a?session=day1talk2room3hall4',
      '/a?session=keynote-0a1b2c3d4e5f',
      '/a?session=keynote-2024',
      '/a?session=opening-day',
      '/a?session=track1a-day2b-room3c',
    ];
    site({ '/': [...links, ...kept], '/a': [], ...Object.fromEntries(kept.map((path) => [path, []])) });
    expect(await listed()).toEqual(['/', '/a', ...kept]);
  });

  it('ignores links that are not pages, and rel=nofollow', async () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,hi',
      'mailto:a@b.c',
      'ftp://127.0.0.1/x',
      'http://u:p@127.0.0.1/',
    ];
    server.page(
      '/',
      `${htmlPage('Home', 'x', { links })}<a rel="external nofollow" href="/hidden">x</a><a href=/shown>y`,
    );
    site({ '/hidden': [], '/shown': [] });
    expect(await listed()).toEqual(['/', '/shown']);
    expect(requested()).not.toContain('/hidden');
  });

  it('crawls further hosts only if they are configured', async () => {
    site({ '/': [url('/x', other)] });
    other.page('/x', htmlPage('Other', 'x'));
    expect(idsOf(await collect(open({ hosts: [other.host] }).list(call)))).toEqual([url('/'), url('/x', other)]);
  });

  it('lists only included paths, and never requests excluded ones', async () => {
    site({ '/': ['/docs/a', '/blog/b', '/docs/old/c'], '/docs/a': [], '/blog/b': [], '/docs/old/c': [] });
    expect(await listed({ include: ['docs/**'], exclude: ['docs/old/**'] })).toEqual(['/docs/a']);
    expect(requested()).toEqual(['/robots.txt', '/', '/docs/a']);
  });

  it('stops at its limits, and is not authoritative then', async () => {
    server.fallback((path) => htmlPage(path, path, { links: [`/c?day=${path.length}${path.at(-1)}`, `${path}x`] }));
    const limited = async (config: object) => {
      server.forget();
      const events = await collect(open(config).list(call));
      expect(end(events)).toMatchObject({ type: 'complete', authoritative: false });
      return requested().length - 1;
    };
    expect(await limited({ maxPages: 20 })).toBe(20);
    server.fallback((path) => htmlPage(path, path, { links: [`/c?day=${Number(path.split('=')[1] ?? 0) + 1}`] }));
    expect(await limited({ maxPagesPerPattern: 5, maxDepth: 100 })).toBe(6);
    server.fallback((path) => htmlPage(path, path, { links: [`${path}sub/`] }));
    expect(await limited({ maxDepth: 100 })).toBeLessThan(10);
  });

  it('follows links up to its depth', async () => {
    site({ '/': ['/1'], '/1': ['/2'], '/2': ['/3'], '/3': [] });
    expect(await listed({ maxDepth: 2 })).toEqual(['/', '/1', '/2']);
  });

  it('reads documents by their type, without their content, and skips other files', async () => {
    site({ '/': ['/a.pdf', '/b.txt', '/c.css', '/d.png', '/e.docx', '/f'] });
    const file = (path: string, type: string, body: string) =>
      server.page(path, { headers: { 'content-type': type, etag: `"${path}"` }, body });
    file('/a.pdf', 'application/pdf', '%PDF-');
    file('/b.txt', 'text/plain; charset=iso-8859-1', 'text');
    file('/c.css', 'text/css', 'a{}');
    file('/d.png', 'image/png', 'x');
    file('/e.docx', 'application/octet-stream', 'PK');
    file('/f', 'application/octet-stream', 'PK');
    const events = await collect(open().list(call));
    expect(paths(events)).toEqual(['/', '/a.pdf', '/b.txt', '/e.docx']);
    const ref = refsOf(events).find(({ title }) => title === 'b.txt')!;
    expect(ref).toMatchObject({ version: 'etag:"/b.txt"', mimeType: 'text/plain; charset=iso-8859-1', sizeBytes: 4 });
    const content = await open().fetch(call, ref);
    expect(content.fileName).toBe('b.txt');
    expect(await readBody(content.body)).toBe('text');
  });

  it('keeps the version of a page whose scripts, tokens or markup changed, not of one whose text did', async () => {
    const versionOf = async (html: string) => {
      server.page('/', html);
      return refsOf(await collect(open().list(call)))[0]!.version;
    };
    const first = await versionOf('<title>T</title><p>Some text</p><script>token=1</script><input value=1>');
    expect(await versionOf('<title>T</title><p class=x>Some text</p><script>token=2</script><input value=2>')).toBe(
      first,
    );
    expect(await versionOf('<title>T</title><p>Some texts</p>')).not.toBe(first);
    expect(await versionOf('<title>U</title><p>Some text</p>')).not.toBe(first);
  });

  it('decodes pages by header, meta and byte order mark', async () => {
    site({ '/': ['/header', '/meta', '/mark', '/wrong'] });
    const latin = (text: string) => Buffer.from(text, 'latin1');
    server.page('/header', {
      headers: { 'content-type': 'text/html; charset=ISO-8859-1' },
      body: latin('<title>Grün</title>'),
    });
    server.page('/meta', {
      headers: { 'content-type': 'text/html' },
      body: latin('<meta charset=iso-8859-1><title>Öl</title>'),
    });
    server.page('/mark', {
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>Čas</title>', 'utf16le')]),
    });
    server.page('/wrong', {
      headers: { 'content-type': 'text/html; charset=nonsense' },
      body: latin('<title>Maß</title>'),
    });
    const titles = refsOf(await collect(open().list(call))).map(({ title }) => title);
    expect(titles).toEqual(['Page /', 'Grün', 'Öl', 'Čas', 'Maß']);
  });
});

describe('robots rules', () => {
  it('are obeyed for pages, redirects, canonical links and sitemaps', async () => {
    server.robots(`User-agent: *\nDisallow: /private\nDisallow: /*?sort=\nSitemap: ${url('/private/map.xml')}\n`);
    site({ '/': ['/private/a', '/list?sort=1', '/go', '/c'], '/private/a': [], '/list?sort=1': [] });
    server.page('/go', { status: 302, headers: { location: '/private/b' }, body: '' });
    server.page('/c', htmlPage('C', 'x', { head: '<link rel="canonical" href="/private/c">' }));
    expect(await listed()).toEqual(['/', '/c']);
    expect(requested().filter((path) => /private|sort/.test(path))).toEqual([]);
    expect(await open().resolve(call, url('/private/a'))).toBeNull();
  });

  it('of the group for Lectern replace those for all crawlers', async () => {
    server.robots('User-agent: *\nDisallow: /\n\nUser-agent: lectern\nDisallow: /x\nAllow: /x/y\n');
    site({ '/': ['/x/a', '/x/y'], '/x/a': [], '/x/y': [] });
    expect(await listed()).toEqual(['/', '/x/y']);
  });

  it('apply to every spelling of a path', async () => {
    server.robots(
      '\ufeffUser-Agent: other\r\nUser-agent: Lectern (docs)\r\nSitemap: /none\r\nUser-agent: third\r\nDisallow: /private\r\nDisallow: /a[b]\r\nDisallow: /%7Ejoe$\r\n',
    );
    site({ '/': ['/%70rivate/x', '/a[b]', '/a%5bb%5D', '/~joe', '/~joe/x', '/%63', '/c'], '/~joe/x': [], '/c': [] });
    expect(await listed()).toEqual(['/', '/c', '/~joe/x']);
    expect(requested()).toEqual(['/robots.txt', '/none', '/', '/~joe/x', '/c']);
  });

  it('allow everything if there are none, and nothing if the site does not respond', async () => {
    site({ '/': [] });
    server.robots(undefined);
    expect(await listed()).toEqual(['/']);
    server.fail((request) => (request.url === '/robots.txt' ? { kind: 'status', status: 500 } : undefined));
    server.forget();
    const { error } = await collectUntilError(open().list(call));
    expect(error).toMatchObject({ kind: 'transient' });
    expect(new Set(requested())).toEqual(new Set(['/robots.txt']));
  });

  it('are read up to 500 KiB', async () => {
    site({ '/': ['/a', '/b'], '/a': [], '/b': [] });
    server.robots(`User-agent: *\nDisallow: /a\n${`# ${'x'.repeat(98)}\n`.repeat(5_200)}Disallow: /b\n`);
    expect(await listed()).toEqual(['/', '/b']);
  });

  it('with very many wildcards disallow the site, because they take too long to check', async () => {
    site({ '/': [] });
    server.robots(`User-agent: *\n${`Disallow: /${'*a'.repeat(400)}$\n`.repeat(100)}`);
    expect((await open().test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringContaining('robots.txt'),
    });
  });

  it('noindex and nofollow apply from the page and from the header', async () => {
    site({ '/': ['/meta', '/header', '/other-crawler'], '/behind-meta': [], '/behind-header': [] });
    const page = (path: string, head: string, headers = {}) => {
      const body = htmlPage(path, 'x', { head, links: [`/behind-${path.slice(1)}`] });
      server.page(path, { headers: { 'content-type': 'text/html', ...headers }, body });
    };
    page('/meta', '<meta name="ROBOTS" content="NoIndex">');
    page('/header', '', { 'x-robots-tag': 'nofollow' });
    page('/other-crawler', '', { 'x-robots-tag': 'otherbot: noindex, nofollow' });
    expect(await listed()).toEqual(['/', '/behind-meta', '/header', '/other-crawler']);
    expect(await open().resolve(call, url('/meta'))).toBeNull();
  });

  it('set the pace, if it is slower than the configured one', async () => {
    server.robots('User-agent: *\nCrawl-delay: 1\n');
    site({ '/': ['/a', '/b'], '/a': [], '/b': [] });
    const times: number[] = [];
    server.before(() => void times.push(performance.now()));
    expect(await listed()).toEqual(['/', '/a', '/b']);
    // Two gaps of a second; on a busy machine, the first request can arrive late.
    expect(times.at(-1)! - times[1]!).toBeGreaterThan(1_000);
  });
});

describe('redirects', () => {
  const redirect = (from: string, to: string) =>
    server.page(from, { status: 301, headers: { location: to }, body: '' });

  it('lead to the final page, within five hops', async () => {
    site({ '/': ['/old', '/h0', '/h9'], '/new': [] });
    redirect('/old', '/new');
    for (let hop = 0; hop < 15; hop += 1) redirect(`/h${hop}`, `/h${hop + 1}`);
    server.page('/h14', htmlPage('End', 'x'));
    const events = await collect(open().list(call));
    expect(paths(events)).toEqual(['/', '/h14', '/new']);
    expect(failures(events)).toMatchObject([
      { id: url('/h0'), error: { code: 'invalid', message: expect.stringContaining('5 times') } },
    ]);
    expect(end(events)).toMatchObject({ authoritative: true });
  });

  it('never leave the hosts', async () => {
    site({ '/': ['/out', '/bad'] });
    redirect('/out', url('/x', other));
    redirect('/bad', 'file:///etc/passwd');
    expect(await listed()).toEqual(['/']);
    expect(other.requests).toEqual([]);
  });

  it('of the start URL to another host are explained', async () => {
    redirect('/', url('/', other));
    expect((await open().test(call)).at(-1)).toMatchObject({ ok: false, message: expect.stringContaining(other.host) });
    const { error } = await collectUntilError(open().list(call));
    expect(error).toMatchObject({ kind: 'invalid', message: expect.stringContaining(other.host) });
  });

  it('to another host do not delete a page', async () => {
    site({ '/': [] });
    redirect('/moved', url('/moved', other));
    await expect(open().resolve(call, url('/moved'))).rejects.toMatchObject({ kind: 'invalid' });
    expect(await open().resolve(call, url('/gone'))).toBeNull();
  });
});

describe('canonical links', () => {
  const page = (path: string, canonical: string, links: readonly string[] = []) =>
    server.page(path, htmlPage(path, path, { links, head: `<link rel="canonical" href="${canonical}">` }));

  it('join pages, in any order', async () => {
    for (const links of [
      ['/a', '/a?print=1', '/b'],
      ['/b', '/a?print=1', '/a'],
    ]) {
      site({ '/': links });
      page('/a', '/a');
      page('/a?print=1', '/a', ['/behind']);
      page('/b', '/a');
      site({ '/behind': [] });
      expect(await listed()).toEqual(['/', '/a', '/behind']);
    }
    expect(await open().resolve(call, url('/a?print=1'))).toMatchObject({ id: url('/a') });
  });

  it('in a header count like those in a page', async () => {
    site({ '/': ['/a.pdf', '/b'], '/a': [] });
    const headers = (link: string, type: string) => ({ 'content-type': type, link });
    const link = '</x>; rel="prev", </a>; type="text/html"; rel="shortlink Canonical"';
    server.page('/a.pdf', { headers: headers(link, 'application/pdf'), body: '%PDF' });
    server.page('/b', { headers: headers('<a>;rel=canonical', 'text/html'), body: htmlPage('B', 'b') });
    expect(await listed()).toEqual(['/', '/a']);
  });

  it('that are broken, in a circle, or on another host are ignored', async () => {
    site({ '/': ['/broken', '/x', '/out'] });
    page('/broken', '/nowhere');
    page('/x', '/y');
    page('/y', '/x');
    page('/out', url('/out', other));
    expect(await listed()).toEqual(['/', '/broken', '/out', '/x', '/y']);
    expect(other.requests).toEqual([]);
  });
});

describe('conditional requests', () => {
  const page = (path: string, headers: object, body: string) =>
    server.page(path, { headers: { 'content-type': 'text/html', ...headers }, body });
  const conditions = () =>
    server.requests.map(({ url: at, headers }) => [at, headers['if-none-match'] ?? headers['if-modified-since']]);

  it('list an unchanged page and its links again without reading it', async () => {
    page('/', { etag: 'W/"1"' }, htmlPage('Home', 'x', { links: ['/a', '/f.pdf'] }));
    page('/a', { 'last-modified': 'Mon, 05 Jan 2026 12:00:00 GMT' }, htmlPage('A', 'a'));
    server.page('/f.pdf', { headers: { 'content-type': 'application/pdf', etag: '"f"' }, body: '%PDF' });
    const first = await collect(open().list(call));
    server.forget();
    const answers: number[] = [];
    server.rewrite((answer) => {
      answers.push(answer.status);
      return answer;
    });
    expect(await collect(open().list(call))).toEqual(first);
    expect(conditions()).toEqual([
      ['/robots.txt', undefined],
      ['/', 'W/"1"'],
      ['/a', 'Mon, 05 Jan 2026 12:00:00 GMT'],
      ['/f.pdf', '"f"'],
    ]);
    expect(answers).toEqual([200, 304, 304, 304]);
    expect(await open().resolve(call, url('/a'))).toEqual(refsOf(first)[1]);
    expect(await readBody((await open().fetch(call, refsOf(first)[1]!)).body)).toContain('<p>a</p>');
  });

  it('find changes of pages, and follow the current settings and directives', async () => {
    page('/', { etag: '"1"' }, htmlPage('Home', 'x', { links: ['/a', '/b'] }));
    for (const path of ['/a', '/b']) page(path, { etag: '"1"' }, htmlPage(path, 'old'));
    const [, before] = refsOf(await collect(open().list(call)));
    page('/a', { etag: '"2"' }, htmlPage('/a', 'new'));
    page('/b', { etag: '"1"', 'x-robots-tag': 'noindex' }, htmlPage('/b', 'old'));
    const [, after, ...others] = refsOf(await collect(open().list(call)));
    expect(after).toMatchObject({ id: before!.id });
    expect(after!.version).not.toBe(before!.version);
    expect(others).toEqual([]);
    expect(await listed({ exclude: ['a'] })).toEqual(['/']);
  });

  it('that were never sent make a 304 a failure of the page', async () => {
    site({ '/': ['/a'] });
    server.page('/a', { status: 304, body: '' });
    expect(failures(await collect(open().list(call)))).toMatchObject([
      { id: url('/a'), error: { code: 'invalid', message: expect.stringContaining('HTTP 304') } },
    ]);
  });
});

describe('sitemaps', () => {
  const urlset = (locations: readonly string[]) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
      .map((location) => `<url><loc>${location}</loc><lastmod>2026-01-02</lastmod></url>`)
      .join('')}</urlset>`;
  const index = (locations: readonly string[]) =>
    `<sitemapindex>${locations.map((location) => `<sitemap><loc>${location}</loc></sitemap>`).join('')}</sitemapindex>`;
  const xml = (path: string, body: string | Uint8Array) =>
    server.page(path, { headers: { 'content-type': 'application/xml' }, body });

  it('from robots.txt and the settings add pages, also through an index and compressed', async () => {
    site({ '/': [], '/1': [], '/2': [], '/3': [] });
    server.robots(`Sitemap: ${url('/map.xml')}\n`);
    xml('/map.xml', index([url('/inner.xml.gz'), url('/map.xml')]));
    xml('/inner.xml.gz', gzipSync(urlset([url('/1'), url('/2'), url('/out', other)])));
    xml('/more.xml', urlset([url('/3')]));
    const events = await collect(open({ sitemaps: [url('/more.xml')] }).list(call));
    expect(paths(events)).toEqual(['/', '/1', '/2', '/3']);
    expect(end(events)).toMatchObject({ authoritative: true });
    expect(refsOf(events).find(({ id }) => id === url('/1'))?.updatedAt).toBe('2026-01-02T00:00:00.000Z');
    expect(other.requests).toEqual([]);
  });

  it('that are malformed, bombs or nested too deeply are reported, and the rest is crawled', async () => {
    site({ '/': ['/a'], '/a': [] });
    const maps = ['/broken.xml', '/bomb.xml', '/entity.xml', '/html.xml', '/gzip.xml'];
    xml('/broken.xml', '<urlset><url><loc>x</url>');
    xml('/bomb.xml', gzipSync(Buffer.alloc(60 * 1024 * 1024, ' ')));
    xml('/entity.xml', '<!DOCTYPE u [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>');
    xml('/html.xml', htmlPage('Not found', 'x'));
    xml('/gzip.xml', Buffer.concat([gzipSync('<urlset/>').subarray(0, 12), Buffer.from('damaged')]));
    const events = await collect(open({ sitemaps: maps.map((path) => url(path)) }).list(call));
    expect(failures(events).map(({ id }) => id.replace(server.origin, ''))).toEqual(maps);
    expect(paths(events)).toEqual(['/', '/a']);
    expect(end(events)).toMatchObject({ authoritative: false });
  });

  it('that do not exist are ignored if only robots.txt names them', async () => {
    site({ '/': [] });
    server.robots(`Sitemap: ${url('/none.xml')}\nSitemap: ${url('/x.xml', other)}\n`);
    expect(end(await collect(open().list(call)))).toMatchObject({ authoritative: true });
    const events = await collect(open({ sitemaps: [url('/none.xml')] }).list(call));
    expect(failures(events)).toMatchObject([{ error: { code: 'gone' } }]);
  });
});

describe('a failure', () => {
  it('of one page does not stop the crawl, but prevents deletions', async () => {
    site({ '/': ['/bad', '/secret', '/huge', '/good'], '/bad': [], '/good': [] });
    server.page('/secret', { status: 403, body: 'no' });
    server.page('/huge', 'x'.repeat(6 * 1024 * 1024));
    server.fail((request) => (request.url === '/bad' ? { kind: 'status', status: 500 } : undefined));
    const events = await collect(open().list(call));
    expect(failures(events).map(({ error }) => error.code)).toEqual(['invalid', 'forbidden', 'too_large']);
    expect(paths(events)).toEqual(['/', '/good']);
    expect(end(events)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('that is permanent fails the page, and does not prevent deletions', async () => {
    site({ '/': ['/secret', '/huge', '/loop', '/good'], '/good': [] });
    server.page('/secret', { status: 403, body: 'no' });
    server.page('/huge', 'x'.repeat(6 * 1024 * 1024));
    server.page('/loop', { status: 302, headers: { location: '/loop' }, body: '' });
    const events = await collect(open().list(call));
    expect(failures(events).map(({ error }) => error.code)).toEqual(['forbidden', 'too_large', 'invalid']);
    expect(end(events)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
  });

  it('of a page that is looked up fails the item, unless the whole site fails', async () => {
    server.fail((request) => (request.url === '/bad' ? { kind: 'status', status: 500 } : undefined));
    await expect(open().resolve(call, url('/bad'))).rejects.toMatchObject({ kind: 'invalid' });
    server.fail(() => ({ kind: 'status', status: 500 }));
    await expect(open().resolve(call, url('/bad'))).rejects.toMatchObject({ kind: 'transient' });
  });

  it('of a link to a missing page is not one of the crawl', async () => {
    site({ '/': ['/missing'] });
    const events = await collect(open().list(call));
    expect(failures(events)).toEqual([]);
    expect(end(events)).toMatchObject({ authoritative: true });
  });

  it('of the rate ends the crawl until the site allows more', async () => {
    site({ '/': ['/a'], '/a': [] });
    server.fail((request) => (request.url === '/a' ? { kind: 'status', status: 503, retryAfter: '600' } : undefined));
    const { error } = await collectUntilError(open().list(call));
    expect(error).toMatchObject({ kind: 'rate' });
  });
});

describe('settings', () => {
  const check = (config: object) => () => webType.checkConfig(config);
  it('name the invalid field', () => {
    const issue = (path: string) =>
      expect.objectContaining({ details: { issues: [expect.objectContaining({ path })] } });
    expect(check({ startUrls: ['ftp://example.com'] })).toThrow(issue('config.startUrls[0]'));
    expect(check({ startUrls: ['https://user:secret@example.com'] })).toThrow(issue('config.startUrls[0]'));
    expect(check({ startUrls: [] })).toThrow(issue('config.startUrls'));
    expect(check({ startUrls: 'https://example.com', hosts: ['https://x'] })).toThrow(issue('config.hosts[0]'));
    expect(check({ startUrls: 'https://a.example', sitemaps: ['https://b.example/s.xml'] })).toThrow(
      issue('config.sitemaps[0]'),
    );
    expect(check({ startUrls: 'https://a.example', maxPages: 0 })).toThrow(issue('config.maxPages'));
  });

  it('accept one URL or a list', () => {
    expect(check({ startUrls: ' https://Example.com/docs ' })()).toEqual({ startUrls: ['https://example.com/docs'] });
  });
});
