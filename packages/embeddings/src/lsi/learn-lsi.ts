import type { SparseMatrix } from '#linear-algebra/sparse-matrix';
import { truncatedSvd } from '#linear-algebra/truncated-svd';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { type LsiModel, toLsiModel } from '#lsi/lsi-model';
import type { LsiSample } from '#lsi/lsi-sample';
import { inverseDocumentFrequency } from '#lsi/lsi-weights';

/**
 * Learns a space from passages by latent semantic indexing (Deerwester et al., 1990): the strongest
 * directions of the passages' weighted terms. Deterministic. Blocks for seconds to a minute;
 * services run it in a thread (`startLsiTraining`).
 */
export function learnLsi(sample: LsiSample): LsiModel {
  const terms = chooseTerms(sample);
  const idf = Float32Array.from(terms, (term) => idfOf(sample, term));
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

/** Passages by terms. Each row has length 1, including the terms that were not chosen. */
function toMatrix(sample: LsiSample, chosen: Uint32Array, idf: Float32Array): SparseMatrix {
  const columns = new Map(Array.from(chosen, (term, column) => [term, column]));
  const { terms, weights } = sample;
  const starts = new Uint32Array(sample.size + 1);
  const columnOf = new Uint32Array(terms.length);
  const values = new Float32Array(terms.length);
  let end = 0;
  for (let row = 0; row < sample.size; row++) {
    let squaredLength = 0;
    const last = sample.starts[row + 1] ?? 0;
    for (let at = sample.starts[row] ?? 0; at < last; at++) {
      const term = terms[at] ?? 0;
      const column = columns.get(term);
      const value = (weights[at] ?? 0) * (column === undefined ? idfOf(sample, term) : (idf[column] ?? 0));
      squaredLength += value * value;
      if (column === undefined) continue;
      columnOf[end] = column;
      values[end] = value;
      end += 1;
    }
    const length = Math.sqrt(squaredLength) || 1;
    for (let at = starts[row] ?? 0; at < end; at++) values[at] = (values[at] ?? 0) / length;
    starts[row + 1] = end;
  }
  return { rows: sample.size, columns: chosen.length, starts, columnOf, values };
}

function idfOf({ size, passagesByTerm }: LsiSample, term: number): number {
  return inverseDocumentFrequency(size, passagesByTerm.get(term) ?? 0);
}
