import type { CorpusDocument } from '#corpus/corpus';
import { documentsOf, halfWithout } from '#eval-chat/halves';

/** Up to so many documents each is a part of its own, so that exactly those that answer can be left out. */
const FEW = 64;

/** A corpus in parts, each to be a collection: what a question is asked of decides which documents can answer it. */
export interface SplitCorpus {
  readonly parts: readonly (readonly CorpusDocument[])[];
  /** The parts without these documents, by their places; undefined where no part is left. */
  without(documentIds: Iterable<string>): readonly number[] | undefined;
}

/** A small corpus in single documents, a large one in two halves. */
export function splitCorpus(documents: readonly CorpusDocument[]): SplitCorpus {
  if (documents.length <= FEW) {
    return {
      parts: documents.map((document) => [document]),
      without: (documentIds) => {
        const ids = new Set(documentIds);
        const left = documents.flatMap(({ id }, at) => (ids.has(id) ? [] : [at]));
        return left.length === 0 ? undefined : left;
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
