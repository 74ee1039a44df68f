/** UTF-8 bytes per token: a safe estimate for English, and close for Chinese and Japanese. */
const BYTES_PER_TOKEN = 3;

/**
 * Splits texts into batches of at most `texts` texts and about `tokens` tokens. A longer text gets
 * its own batch.
 */
export function* batchTexts(
  all: readonly string[],
  { texts, tokens }: { readonly texts: number; readonly tokens: number },
): Generator<readonly string[]> {
  let batch: string[] = [];
  let used = 0;
  for (const text of all) {
    const cost = Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
    if (batch.length > 0 && (batch.length >= texts || used + cost > tokens)) {
      yield batch;
      batch = [];
      used = 0;
    }
    batch.push(text);
    used += cost;
  }
  if (batch.length > 0) yield batch;
}
