import type { Candidate } from '#search/fuse';

export interface DocumentCandidates {
  readonly document: string;
  /** Best first. */
  readonly passages: Candidate[];
}

/**
 * Groups passages by document. A document ranks by its best passage; equal scores are ordered by
 * id, so that pages never overlap.
 */
export function groupByDocument(candidates: readonly Candidate[]): DocumentCandidates[] {
  const ranked = candidates.toSorted(
    (a, b) => b.score - a.score || compare(a.document, b.document) || compare(a.id, b.id),
  );
  const documents = new Map<string, DocumentCandidates>();
  for (const passage of ranked) {
    const known = documents.get(passage.document);
    if (known) known.passages.push(passage);
    else documents.set(passage.document, { document: passage.document, passages: [passage] });
  }
  return [...documents.values()];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
