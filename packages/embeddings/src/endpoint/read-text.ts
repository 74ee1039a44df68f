/** 2,048 vectors of 4,096 numbers as decimal text are about this much. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The body of an answer as text. Throws where it is larger than any answer we ask for. */
export async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`The answer is larger than ${MAX_BYTES} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
