/**
 * Reads a body as text, at most `maxBytes` bytes. Returns whether there was more. Cancels the rest.
 */
export async function readText(
  { body }: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly bytes: number; readonly isCut: boolean }> {
  if (body === null) return { text: '', bytes: 0, isCut: false };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return { text: text + decoder.decode(), bytes, isCut: false };
      const room = maxBytes - bytes;
      bytes += value.byteLength;
      text += decoder.decode(value.subarray(0, room), { stream: true });
      if (bytes > maxBytes) return { text, bytes: maxBytes, isCut: true };
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
