import { setImmediate } from 'node:timers/promises';

/** A text that a model was shown, and the documents that it comes from. */
export interface ShownText {
  readonly text: string;
  readonly documents: readonly string[];
}

/** Letters and digits of a shared stretch that counts as quoted: about four words. */
const STRETCH = 20;

/** UTF-16 units that are compared before other turns of the process go on: some milliseconds. */
const AT_ONCE = 50_000;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * The documents whose words a reply repeats, whether it cites them or not. A shown text that shares a stretch of twice `STRETCH` with the reply is
 * always found; chance hits on shorter ones do no harm, since they only matter once the document may not be read any more.
 */
export async function drawnFrom(reply: string, shown: readonly ShownText[]): Promise<string[]> {
  const said = bare(reply);
  const stretches = new Set<string>();
  for (let at = 0; at + STRETCH <= said.length; at += 1) stretches.add(said.slice(at, at + STRETCH));
  if (stretches.size === 0) return [];
  const found = new Set<string>();
  let read = 0;
  for (const { text, documents } of shown) {
    if (documents.every((id) => found.has(id))) continue;
    read += text.length;
    if (read > AT_ONCE) {
      read = 0;
      await setImmediate();
    }
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
