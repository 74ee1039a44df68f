/** How far an upload is. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

type Report = (progress: UploadProgress) => void;

/** As much of XMLHttpRequest as is needed here, so that types of a browser are not. */
interface Xhr {
  readonly upload: { onprogress: (event: { readonly loaded: number }) => void };
  readonly status: number;
  readonly responseURL: string;
  readonly responseText: string;
  onerror: () => void;
  onabort: () => void;
  onload: () => void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

const browserXhr = (): (new () => Xhr) | undefined => Reflect.get(Object(globalThis), 'XMLHttpRequest');

/** In a page, only XMLHttpRequest tells how far an upload is. */
function sendByXhr(
  Request: new () => Xhr,
  url: string,
  init: RequestInit,
  body: Blob,
  report: Report,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    init.signal?.throwIfAborted();
    const request = new Request();
    request.open(init.method ?? 'POST', url);
    new Headers(init.headers).forEach((value, name) => void request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded }) =>
      report({ sentBytes: Math.min(loaded, body.size), totalBytes: body.size });
    request.onerror = () => reject(new TypeError('The upload failed.'));
    request.onabort = () => reject(init.signal?.reason);
    request.onload = () => {
      const headers = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = headers.flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
      });
      // XMLHttpRequest follows redirects, and tells only afterwards.
      const isElsewhere = request.responseURL !== '' && new URL(request.responseURL).origin !== new URL(url).origin;
      const status = isElsewhere ? 307 : request.status;
      resolve(new Response(request.responseText || null, { status, headers: pairs }));
    };
    init.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** Elsewhere the body is a stream, and its bytes are counted as they are taken. */
function sendCounted(ask: typeof fetch, url: string, init: RequestInit, body: Blob, report: Report): Promise<Response> {
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      sentBytes += chunk.length;
      report({ sentBytes, totalBytes: body.size });
    },
  });
  // `duplex` is what fetch wants with a stream (https://fetch.spec.whatwg.org/#dom-requestinit-duplex); DOM's types lack it.
  return ask(url, Object.assign({}, init, { body: body.stream().pipeThrough(counter), duplex: 'half' }));
}

/** A page's own `fetch` takes no stream over HTTP/1.1, so that nothing is known before the answer. */
async function sendUncounted(
  ask: typeof fetch,
  url: string,
  init: RequestInit,
  body: Blob,
  report: Report,
): Promise<Response> {
  const response = await ask(url, init);
  report({ sentBytes: body.size, totalBytes: body.size });
  return response;
}

/** A `fetch` that tells how far its body is. It sends by the `fetch` that was given, where one was. */
export function putWithProgress(report: Report, given: typeof fetch | undefined): typeof fetch {
  return (input, init = {}) => {
    const { body } = init;
    const ask = given ?? fetch;
    if (!(body instanceof Blob)) return ask(input, init);
    const Xhr = browserXhr();
    const url = String(input);
    if (Xhr === undefined) return sendCounted(ask, url, init, body, report);
    return given === undefined
      ? sendByXhr(Xhr, url, init, body, report)
      : sendUncounted(given, url, init, body, report);
  };
}
