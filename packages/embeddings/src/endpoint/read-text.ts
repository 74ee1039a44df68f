/** The approximate size of 2,048 vectors of 4,096 numbers as decimal text. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Returns the response body as text. Throws if it is larger than the maximum. */
export async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`The response is larger than ${MAX_BYTES} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
