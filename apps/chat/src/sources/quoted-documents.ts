import { type Pausable, runInSlices } from '@lectern/resilience';

/** A text that was shown to a model, and the documents it comes from. */
export interface ShownText {
  readonly text: string;
  readonly documents: readonly string[];
}

/** Shared letters and digits in a row that count as a quotation: about four words. */
const SHINGLE_LENGTH = 20;

const normalize = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * Returns the documents whose words a reply repeats, whether it cites them or not. Always finds a
 * text that shares a passage of twice `SHINGLE_LENGTH` with the reply. Chance matches on shorter
 * passages are harmless: they only matter once the caller can no longer read the document.
 */
export function quotedDocuments(reply: string, shown: readonly ShownText[]): Promise<string[]> {
  return runInSlices(compare(reply, shown));
}

function* compare(reply: string, shown: readonly ShownText[]): Pausable<string[]> {
  const normalized = normalize(reply);
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE_LENGTH <= normalized.length; at += 1)
    shingles.add(normalized.slice(at, at + SHINGLE_LENGTH));
  if (shingles.size === 0) return [];
  const found = new Set<string>();
  for (const { text, documents } of shown) {
    if (documents.every((id) => found.has(id))) continue;
    if (repeats(normalize(text), shingles)) for (const id of documents) found.add(id);
    yield;
  }
  return [...found];
}

function repeats(text: string, shingles: ReadonlySet<string>): boolean {
  for (let at = 0; at + SHINGLE_LENGTH <= text.length; at += SHINGLE_LENGTH) {
    if (shingles.has(text.slice(at, at + SHINGLE_LENGTH))) return true;
  }
  return false;
}
