import { withDeadline } from './deadline.ts';
import { LecternConnectionError } from './errors.ts';
import type { Outgoing, Send } from './transport.ts';
import type { CallOptions } from './types.ts';

/** The server sends the next lines as soon as they are read, so a silent connection is dead. */
const MAX_IDLE_MS = 45_000;

/** The maximum length of a line in characters. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/** Yields the records of a response with JSON Lines. Throws `LecternConnectionError` if the connection is lost. */
export async function* readLines(send: Send, outgoing: Outgoing, options: CallOptions): AsyncGenerator<unknown> {
  const body = await send(outgoing, options, async (response) => response.body);
  if (body === null) throw new LecternConnectionError('The response has no body.');
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await withDeadline({ timeoutMs: MAX_IDLE_MS, signal: options.signal }, () =>
        reader.read(),
      );
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line);
      if (done) return;
      if (rest.length > MAX_LINE_LENGTH) throw new LecternConnectionError('A line is too long.');
    }
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (cause instanceof LecternConnectionError) throw cause;
    throw new LecternConnectionError('The response was interrupted.', { cause });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
