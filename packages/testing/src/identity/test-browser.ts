/** A response that a test browser received. */
export interface BrowserResponse {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MAX_REDIRECTS = 15;

/** A browser that stores cookies by host and follows redirects, as far as a test lets it. */
export interface TestBrowser {
  /** Opens a page, and follows redirects until `stopAt` matches the next URL. */
  open(url: string | URL, stopAt?: (url: URL) => boolean): Promise<BrowserResponse>;
  /** Sends a form. */
  submit(url: URL, fields: Record<string, string>): Promise<BrowserResponse>;
  /** The `Cookie` header for a URL. */
  cookiesFor(url: string | URL): string;
  setCookie(url: string | URL, pair: string): void;
}

export function createTestBrowser(): TestBrowser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = ({ host }: URL) => {
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  const cookiesFor = (url: string | URL) =>
    [...jarOf(new URL(url))].map(([name, value]) => `${name}=${value}`).join('; ');

  const store = (url: URL, headers: Headers) => {
    for (const cookie of headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(/;\s*/);
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const isRemoved = attributes.some((it) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(it));
      if (isRemoved) jarOf(url).delete(name);
      else jarOf(url).set(name, value);
    }
  };

  async function follow(first: URL, init: RequestInit, stopAt: (url: URL) => boolean): Promise<BrowserResponse> {
    let url = first;
    let next = init;
    for (let n = 0; n < MAX_REDIRECTS; n += 1) {
      const response = await fetch(url, { ...next, redirect: 'manual', headers: { Cookie: cookiesFor(url) } });
      store(url, response.headers);
      const text = await response.text();
      const location = response.headers.get('location');
      const target = location === null ? undefined : new URL(location, url);
      const received = { url, status: response.status, headers: response.headers, text };
      if (target === undefined || stopAt(target)) return received;
      url = target;
      next = {};
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects`);
  }

  return {
    open: (url, stopAt = () => false) => follow(new URL(url), {}, stopAt),
    submit: (url, fields) => follow(url, { method: 'POST', body: new URLSearchParams(fields) }, () => false),
    cookiesFor,
    setCookie: (url, pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      jarOf(new URL(url)).set(name, value);
    },
  };
}
