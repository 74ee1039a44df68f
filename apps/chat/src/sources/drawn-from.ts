/** A text that a model was shown, and the documents that it comes from. */
export interface ShownText {
  readonly text: string;
  readonly documents: readonly string[];
}

/** Letters and digits of a shared stretch that counts as quoted: about four words. */
const STRETCH = 20;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * The documents whose words a reply repeats, whether it cites them or not. A shown text that shares a stretch of twice `STRETCH` with the reply is
 * always found; chance hits on shorter ones do no harm, since they only matter once the document may not be read any more.
 */
export function drawnFrom(reply: string, shown: readonly ShownText[]): string[] {
  const said = bare(reply);
  const stretches = new Set<string>();
  for (let at = 0; at + STRETCH <= said.length; at += 1) stretches.add(said.slice(at, at + STRETCH));
  if (stretches.size === 0) return [];
  const found = new Set<string>();
  for (const { text, documents } of shown) {
    if (documents.every((id) => found.has(id))) continue;
    if (repeats(bare(text), stretches)) for (const id of documents) found.add(id);
  }
  return [...found];
}

function repeats(text: string, stretches: ReadonlySet<string>): boolean {
  for (let at = 0; at + STRETCH <= text.length; at += STRETCH) {
    if (stretches.has(text.slice(at, at + STRETCH))) return true;
  }
  return false;
}
