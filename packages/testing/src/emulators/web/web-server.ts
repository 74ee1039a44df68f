import {
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

/** A page or a file of a website. */
export interface WebPage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A website. Several of them on one machine differ in their port, which is part of the host. */
export interface WebServer extends PlatformServer {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Sets `robots.txt`; undefined for none (404). Initially it allows everything. */
  robots(text: string | undefined): void;
  /** Sets the response for a path with its query, as in the request line. */
  page(path: string, page: WebPage | string): void;
  remove(path: string): void;
  has(path: string): boolean;
  /** Answers all other paths; undefined for 404. */
  fallback(answer: ((path: string) => WebPage | string | undefined) | undefined): void;
}

const HTML: Readonly<Record<string, string>> = { 'content-type': 'text/html; charset=utf-8' };

/** Returns a page with a title, a text and links. */
export const htmlPage = (
  title: string,
  text: string,
  { links = [], head = '' }: { readonly links?: readonly string[]; readonly head?: string } = {},
): string => {
  const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const list = links.map((href) => `<li><a href="${escaped(href)}">link</a></li>`).join('\n');
  return `<!doctype html><html><head><title>${escaped(title)}</title>${head}</head>\n<body><main><h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p></main>\n<ul>${list}</ul></body></html>`;
};

/**
 * A website with the parts that a crawler depends on: `robots.txt`
 * (https://www.rfc-editor.org/rfc/rfc9309.html), pages, redirects and sitemaps
 * (https://www.sitemaps.org/protocol.html). It rejects requests that a website would not expect
 * from a polite crawler. A page with an `etag` or `last-modified` answers conditional requests
 * (https://www.rfc-editor.org/rfc/rfc9110#section-13).
 */
export async function startWebServer(): Promise<WebServer> {
  const pages = new Map<string, WebPage | string>();
  let robotsText: string | undefined = 'User-agent: *\nDisallow:\n';
  let other: ((path: string) => WebPage | string | undefined) | undefined;

  const send = (page: WebPage | string, { headers: sent }: PlatformRequest): PlatformResponse => {
    if (typeof page === 'string') return { status: 200, headers: HTML, body: page };
    const { status = 200, headers = HTML, body } = page;
    // RFC 9110, 13.2.2: a time counts only without an entity tag.
    const tag = sent['if-none-match'];
    const isKnown =
      tag === undefined
        ? headers['last-modified'] !== undefined && headers['last-modified'] === sent['if-modified-since']
        : tag === headers.etag;
    const { 'content-type': _, ...ofPage } = headers;
    return status === 200 && isKnown ? { status: 304, headers: ofPage, body: '' } : { status, headers, body };
  };
  const refuse = (status: number, message: string): PlatformResponse => ({
    status,
    headers: HTML,
    body: htmlPage(`Error ${status}`, message),
  });
  const answer = (request: PlatformRequest): PlatformResponse => {
    const { method, url, headers } = request;
    if (method !== 'GET') return refuse(405, 'Only GET is allowed.');
    if (headers['user-agent'] !== 'Lectern') return refuse(400, 'Crawlers must send their name.');
    if (headers.authorization !== undefined || headers.cookie !== undefined) return refuse(400, 'No credentials.');
    if (url === '/robots.txt') {
      return robotsText === undefined
        ? refuse(404, 'There is no robots.txt.')
        : { status: 200, headers: { 'content-type': 'text/plain' }, body: robotsText };
    }
    const page = pages.get(url) ?? other?.(url);
    return page === undefined ? refuse(404, 'This page does not exist.') : send(page, request);
  };

  const server = await startPlatformServer({ refuse, answer });
  return {
    ...server,
    host: new URL(server.origin).host,
    robots: (text) => {
      robotsText = text;
    },
    page: (path, page) => void pages.set(path, page),
    remove: (path) => void pages.delete(path),
    has: (path) => pages.has(path),
    fallback: (next) => {
      other = next;
    },
  };
}
