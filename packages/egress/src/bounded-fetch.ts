import { EgressError } from '#egress-error';

type Fetch = typeof globalThis.fetch;

const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

interface Bounds {
  readonly maxBytes: number;
  /** How the message refers to the server, for example `The token URL`. */
  readonly server: string;
  /** Called when a body has ended, or was cut off. */
  readonly onEnd?: (request: RequestInit | undefined) => void;
}

const KIB = 1_024;

function tooLarge(server: string, maxBytes: number): EgressError {
  const kib = Math.ceil(maxBytes / KIB);
  const limit = kib % KIB === 0 ? `${kib / KIB} MiB` : `${kib} KiB`;
  return new EgressError(
    `${server} sent more than ${limit} in one response, which is the limit. Check its address and what it returns.`,
  );
}

/**
 * Wraps `fetch` so that a body of more than `maxBytes` bytes, after decompression, fails with
 * `EgressError`.
 */
export function createBoundedFetch(fetch: Fetch, { maxBytes, server, onEnd }: Bounds): Fetch {
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
          if (bytes > maxBytes) throw tooLarge(server, maxBytes);
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
