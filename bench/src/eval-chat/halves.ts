import type { CorpusDocument } from '#corpus/corpus';

/** The two collections that a corpus is split into. */
export type Half = 0 | 1;

/** Which half a document goes to: by its id alone (FNV-1a), so that every run splits alike. */
export function halfOf(documentId: string): Half {
  let hash = 0x811c9dc5;
  for (const character of documentId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // The lowest bit follows the last character; a higher one is mixed.
  return ((hash >>> 13) & 1) === 0 ? 0 : 1;
}

/** The documents of a half, in their order. */
export function documentsOf(half: Half, documents: readonly CorpusDocument[]): CorpusDocument[] {
  return documents.filter(({ id }) => halfOf(id) === half);
}

/** The half that holds none of these documents, or undefined where both hold some. */
export function halfWithout(documentIds: Iterable<string>): Half | undefined {
  const halves = new Set([...documentIds].map(halfOf));
  if (halves.size !== 1) return undefined;
  return halves.has(0) ? 1 : 0;
}
