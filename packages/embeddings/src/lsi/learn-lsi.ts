import type { SparseMatrix } from '#linear-algebra/sparse-matrix';
import { truncatedSvd } from '#linear-algebra/truncated-svd';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { type LsiModel, toLsiModel } from '#lsi/lsi-model';
import type { LsiSample } from '#lsi/lsi-sample';
import { inverseDocumentFrequency } from '#lsi/lsi-weights';

/**
 * Learns a space from passages by latent semantic indexing (Deerwester et al., 1990): the strongest directions of the passages' weighted terms.
 * Deterministic. Blocks for seconds to a minute; services run it in a thread of its own (`startLsiTraining`).
 */
export function learnLsi(sample: LsiSample): LsiModel {
  const terms = chooseTerms(sample);
  const idf = Float32Array.from(terms, (term) =>
    inverseDocumentFrequency(sample.size, sample.passagesByTerm.get(term) ?? 0),
  );
  const { dimensions, termsPerDimension } = LSI_LIMITS;
  const rank = Math.min(dimensions, Math.floor(terms.length / termsPerDimension));
  const svd = truncatedSvd(toMatrix(sample, terms, idf), rank);
  return toLsiModel(svd, { dimensions, passages: sample.size, terms, idf });
}

function chooseTerms({ passagesByTerm, size }: LsiSample): Uint32Array {
  const { minPassagesOfTerm, maxShareOfTerm } = LSI_LIMITS;
  const useful = [...passagesByTerm].filter(
    ([, passages]) => passages >= minPassagesOfTerm && passages <= size * maxShareOfTerm,
  );
  const chosen = useful.sort(([a, n], [b, m]) => m - n || a - b).slice(0, LSI_LIMITS.terms);
  return Uint32Array.from(chosen, ([term]) => term).sort();
}

/** Passages by terms, each row of the length 1 that it has with the terms that were not chosen. */
function toMatrix(sample: LsiSample, terms: Uint32Array, idf: Float32Array): SparseMatrix {
  const columns = new Map(Array.from(terms, (term, column) => [term, column]));
  const starts = new Uint32Array(sample.size + 1);
  const columnOf: number[] = [];
  const values: number[] = [];
  let row = 0;
  for (const passage of sample.passages()) {
    let squaredLength = 0;
    for (const { term, weight } of passage) {
      const column = columns.get(term);
      const factor =
        column === undefined
          ? inverseDocumentFrequency(sample.size, sample.passagesByTerm.get(term) ?? 1)
          : (idf[column] ?? 0);
      squaredLength += (weight * factor) ** 2;
      if (column === undefined) continue;
      columnOf.push(column);
      values.push(weight * factor);
    }
    const length = Math.sqrt(squaredLength) || 1;
    for (let at = starts[row] ?? 0; at < values.length; at++) values[at] = (values[at] ?? 0) / length;
    row += 1;
    starts[row] = values.length;
  }
  return {
    rows: sample.size,
    columns: terms.length,
    starts,
    columnOf: Uint32Array.from(columnOf),
    values: Float32Array.from(values),
  };
}
