import type { CorpusDocument } from '#corpus/corpus';
import { documentsOf, halfWithout } from '#eval-chat/halves';

/**
 * Up to this many documents, each is a separate part, so that exactly the answering ones can be
 * excluded.
 */
const FEW = 64;

/**
 * A corpus in parts, one collection each. The collections of a question determine which documents
 * can answer it.
 */
export interface SplitCorpus {
  readonly parts: readonly (readonly CorpusDocument[])[];
  /** Returns the indexes of the parts without these documents; undefined if no part remains. */
  without(documentIds: Iterable<string>): readonly number[] | undefined;
}

/** Splits a small corpus into single documents, a large one into two halves. */
export function splitCorpus(documents: readonly CorpusDocument[]): SplitCorpus {
  if (documents.length <= FEW) {
    return {
      parts: documents.map((document) => [document]),
      without: (documentIds) => {
        const ids = new Set(documentIds);
        const remaining = documents.flatMap(({ id }, at) => (ids.has(id) ? [] : [at]));
        return remaining.length === 0 ? undefined : remaining;
      },
    };
  }
  return {
    parts: [documentsOf(0, documents), documentsOf(1, documents)],
    without: (documentIds) => {
      const half = halfWithout(documentIds);
      return half === undefined ? undefined : [half];
    },
  };
}
