/** The progress of an upload. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

type Report = (progress: UploadProgress) => void;

/** The part of XMLHttpRequest used here, so that the DOM types are not required. */
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

/** In a web page, only XMLHttpRequest reports upload progress. */
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
    request.onerror = () => reject(new TypeError('The upload failed. Check the network connection.'));
    request.onabort = () => reject(init.signal?.reason);
    request.onload = () => {
      const headers = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = headers.flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
      });
      // XMLHttpRequest follows redirects and reports them only afterwards.
      const wasRedirected = request.responseURL !== '' && new URL(request.responseURL).origin !== new URL(url).origin;
      const status = wasRedirected ? 307 : request.status;
      resolve(new Response(request.responseText || null, { status, headers: pairs }));
    };
    init.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** Outside web pages the body is a stream whose bytes are counted as they are read. */
function sendCounted(
  fetchRequest: typeof fetch,
  url: string,
  init: RequestInit,
  body: Blob,
  report: Report,
): Promise<Response> {
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      sentBytes += chunk.length;
      report({ sentBytes, totalBytes: body.size });
    },
  });
  // fetch requires `duplex` with a stream (https://fetch.spec.whatwg.org/#dom-requestinit-duplex);
  // the DOM types lack it.
  return fetchRequest(url, Object.assign({}, init, { body: body.stream().pipeThrough(counter), duplex: 'half' }));
}

/** In a web page `fetch` cannot stream a body over HTTP/1.1, so progress is known only at the end. */
async function sendUncounted(
  fetchRequest: typeof fetch,
  url: string,
  init: RequestInit,
  body: Blob,
  report: Report,
): Promise<Response> {
  const response = await fetchRequest(url, init);
  report({ sentBytes: body.size, totalBytes: body.size });
  return response;
}

/** Creates a `fetch` that reports upload progress. Uses the `custom` fetch if there is one. */
export function putWithProgress(report: Report, custom: typeof fetch | undefined): typeof fetch {
  return (input, init = {}) => {
    const { body } = init;
    const fetchRequest = custom ?? fetch;
    if (!(body instanceof Blob)) return fetchRequest(input, init);
    const Xhr = browserXhr();
    const url = String(input);
    if (Xhr === undefined) return sendCounted(fetchRequest, url, init, body, report);
    return custom === undefined
      ? sendByXhr(Xhr, url, init, body, report)
      : sendUncounted(custom, url, init, body, report);
  };
}
