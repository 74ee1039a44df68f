/** UTF-8 bytes a token; an estimate on the safe side for English, and close for Chinese and Japanese. */
const BYTES_A_TOKEN = 3;

/** Cuts texts into runs of at most `texts`, and of at most `tokens` by estimate; a text that is longer by itself goes alone. */
export function* batchTexts(
  all: readonly string[],
  { texts, tokens }: { readonly texts: number; readonly tokens: number },
): Generator<readonly string[]> {
  let batch: string[] = [];
  let used = 0;
  for (const text of all) {
    const cost = Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
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
