import type { CorpusDocument } from '#corpus/corpus';

/** The two halves of a corpus. */
export type Half = 0 | 1;

/** Returns the half of a document by its id (FNV-1a), so that every run splits in the same way. */
export function halfOf(documentId: string): Half {
  let hash = 0x811c9dc5;
  for (const character of documentId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // The lowest bit depends only on the last character, so a higher one is used.
  return ((hash >>> 13) & 1) === 0 ? 0 : 1;
}

/** Returns the documents of a half in order. */
export function documentsOf(half: Half, documents: readonly CorpusDocument[]): CorpusDocument[] {
  return documents.filter(({ id }) => halfOf(id) === half);
}

/** Returns the half without these documents, or undefined if both contain some. */
export function halfWithout(documentIds: Iterable<string>): Half | undefined {
  const halves = new Set([...documentIds].map(halfOf));
  if (halves.size !== 1) return undefined;
  return halves.has(0) ? 1 : 0;
}
