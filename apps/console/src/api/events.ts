import { ApiError, isRecord } from '#api/api-error.ts';
import { type RequestOptions, send } from '#api/request.ts';

/** An event of a stream as it came. */
interface RawEvent {
  readonly event: string;
  readonly data: unknown;
}

function parseBlock(block: string): RawEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return data.length === 0 ? undefined : { event, data: JSON.parse(data.join('\n')) };
}

async function* blocks(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/);
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function failure(data: unknown): ApiError {
  if (!isRecord(data)) return new ApiError('unexpected_answer', 'The stream ended with an error.');
  const requestId = typeof data.requestId === 'string' ? data.requestId : undefined;
  const status = data.retryable === true ? 503 : 400;
  return new ApiError(String(data.code ?? 'error'), String(data.message ?? 'The stream failed.'), {
    status,
    requestId,
  });
}

/**
 * The events of a stream, up to and with one of the `terminal` ones. `E` is the union of what the operation documents. Throws `ApiError`
 * for an `error` event, and where the stream breaks off before its end.
 */
export async function* streamEvents<E extends { readonly event: string }>(
  method: string,
  path: string,
  terminal: E['event'],
  options: RequestOptions = {},
): AsyncGenerator<E> {
  const response = await send(method, path, options);
  if (response.body === null) throw new ApiError('unexpected_answer', 'The answer has no body.');
  for await (const block of blocks(response.body)) {
    const raw = parseBlock(block);
    if (raw === undefined) continue;
    if (raw.event === 'error') throw failure(raw.data);
    yield raw as RawEvent & E;
    if (raw.event === terminal) return;
  }
  throw new ApiError('interrupted', 'The connection was lost before the end.', { status: 503 });
}
