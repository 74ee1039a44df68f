import { setImmediate } from 'node:timers/promises';

/** A text that was shown to a model, and the documents it comes from. */
export interface ShownText {
  readonly text: string;
  readonly documents: readonly string[];
}

/** Letters and digits of a shared passage that counts as quoted: about four words. */
const STRETCH = 20;

/** UTF-16 units to compare before yielding to other work: a few milliseconds. */
const AT_ONCE = 50_000;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * Returns the documents whose words a reply repeats, whether it cites them or not. Always finds a
 * text that shares a passage of twice `STRETCH` with the reply. Chance matches on shorter passages
 * are harmless: they only matter once the caller can no longer read the document.
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
