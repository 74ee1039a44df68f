import type { Deadline } from '#http/deadline';
import { networkError } from '#http/network-error';
import { SourceError } from '#source-error';

const interrupted = (platform: string) => new SourceError('transient', `The response of ${platform} was interrupted.`);

function declaredBytes(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  // A compressed body is counted before it is inflated.
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

/**
 * Yields the body of a response. Throws `transient` if it is interrupted or shorter than declared.
 * Ends the deadline.
 */
export async function* readBody(response: Response, deadline: Deadline, platform: string): AsyncGenerator<Uint8Array> {
  const expected = declaredBytes(response.headers);
  const reader = response.body?.getReader();
  let bytes = 0;
  let done = false;
  try {
    while (reader !== undefined) {
      deadline.arm();
      const piece = await reader.read();
      deadline.disarm();
      done = piece.done;
      if (piece.value === undefined) break;
      bytes += piece.value.byteLength;
      yield piece.value;
    }
    if (expected !== undefined && bytes < expected) throw interrupted(platform);
  } catch (error) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    if (error instanceof SourceError) throw error;
    const cause = networkError(platform, error);
    throw cause.kind === 'transient'
      ? new SourceError('transient', interrupted(platform).message, { cause: error })
      : cause;
  } finally {
    deadline.end();
    if (!done) await reader?.cancel().catch(() => undefined);
  }
}

/**
 * Reads the body as text. Beyond `maxBytes`, truncates it if `cut` is set, else throws `too_large`.
 */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  limit: { readonly maxBytes: number; readonly cut: boolean; readonly platform: string },
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    text += decoder.decode(piece, { stream: true });
    if (bytes <= limit.maxBytes) continue;
    if (limit.cut) return text.slice(0, limit.maxBytes);
    const mib = Math.round(limit.maxBytes / (1024 * 1024));
    throw new SourceError('too_large', `The response of ${limit.platform} is larger than ${mib} MiB.`);
  }
  return text + decoder.decode();
}
