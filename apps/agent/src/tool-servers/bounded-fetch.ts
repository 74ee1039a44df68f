import { AppError } from '@lectern/service-kit';

type Fetch = typeof globalThis.fetch;

const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

interface Bounds {
  readonly maxBytes: number;
  /** Called when a body has ended, or was cut off. */
  readonly onEnd?: (request: RequestInit | undefined) => void;
}

/**
 * Wraps `fetch` so that a body of more than `maxBytes` bytes, after decompression, fails with
 * `upstream_error`.
 */
export function createBoundedFetch(fetch: Fetch, { maxBytes, onEnd }: Bounds): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText } = response;
    if (response.body === null || NO_BODY.has(status)) return response;
    const reader = response.body.getReader();
    let bytes = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) {
            controller.close();
            onEnd?.(init);
            return;
          }
          bytes += value.byteLength;
          if (bytes > maxBytes) throw new AppError('upstream_error', 'The server sent too much data.');
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          await reader.cancel().catch(() => undefined);
          onEnd?.(init);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(body, { status, statusText, headers: response.headers });
  };
}
