import { EngineError } from '#process/engine-error';
import { messageOf } from '#process/thrown';

const MAX_REDIRECTS = 5;

/** The limits of a download. */
export type FetchBounds = {
  /** The limit between the request and the response headers, and between two chunks of the body. */
  readonly stallTimeoutMs: number;
  /** The limit for the complete download, including redirects. */
  readonly totalTimeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
};

/** Downloads into memory and follows at most five redirects. Throws an `EngineError` with the URL and the cause. */
export async function fetchBounded(url: string, bounds: FetchBounds): Promise<Buffer> {
  const stalled = new AbortController();
  const stall = () => stalled.abort(new EngineError(`no response for ${bounds.stallTimeoutMs} ms`));
  let timer = setTimeout(stall, bounds.stallTimeoutMs);
  const signals = [
    stalled.signal,
    AbortSignal.timeout(bounds.totalTimeoutMs),
    ...(bounds.signal ? [bounds.signal] : []),
  ];
  try {
    const response = await follow(url, AbortSignal.any(signals));
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(stall, bounds.stallTimeoutMs);
      sizeBytes += chunk.byteLength;
      if (sizeBytes > bounds.maxBytes) throw new EngineError(`larger than ${bounds.maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    bounds.signal?.throwIfAborted();
    throw new EngineError(`${url}: ${messageOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function follow(url: string, signal: AbortSignal): Promise<Response> {
  let address = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await fetch(address, { redirect: 'manual', signal });
    if (response.ok) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null)
      throw new EngineError(`HTTP ${response.status}`);
    address = new URL(location, address).href;
  }
  throw new EngineError(`more than ${MAX_REDIRECTS} redirects`);
}
