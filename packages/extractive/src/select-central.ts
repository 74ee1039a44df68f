import type { Candidate } from '@lectern/grounding';

const MAX_UNITS = 6;
/** The bonus for the first sentence of a paragraph, where writers state their point. */
const LEAD_BONUS = 0.15;
/** A sentence that shares this much of its words with a selected one repeats it. */
const REPEATED = 0.6;
/** Units with fewer terms are fragments. */
const MIN_TERMS = 3;

/**
 * Returns the most central sentences of a text, best first: closest to its centroid by cosine
 * similarity of tf-idf (Radev et al., 2004), preferring first sentences, one per paragraph, without
 * repetition.
 */
export function selectCentral(
  units: readonly Candidate[],
  overlap: (a: Candidate, b: Candidate) => number,
): Candidate[] {
  const weights = idfOf(units);
  const centroid = new Map<string, number>();
  const vectors = new Map(units.map((unit) => [unit, vectorOf(unit, weights)]));
  for (const vector of vectors.values()) {
    for (const [term, weight] of vector) centroid.set(term, (centroid.get(term) ?? 0) + weight);
  }
  const informative = units.filter(
    ({ terms, unit }) => terms.length >= MIN_TERMS && !/[?:]$/.test(unit.text) && unit.kind !== 'code',
  );
  // A text that consists of fragments is summarized by them.
  const ranked = (informative.length > 0 ? informative : units)
    .map((unit) => ({
      unit,
      value: cosine(vectors.get(unit) ?? new Map(), centroid) + (unit.previous ? 0 : LEAD_BONUS),
    }))
    .sort((a, b) => b.value - a.value);
  const picked: Candidate[] = [];
  const blocks = new Set<string>();
  for (const { unit } of ranked) {
    const block = pointKey(unit);
    if (blocks.has(block) || picked.some((other) => overlap(unit, other) >= REPEATED)) continue;
    blocks.add(block);
    picked.push(unit);
    if (picked.length === MAX_UNITS) break;
  }
  return picked;
}

/** Identifies the point that a unit makes: its paragraph, or the item of a list or table. */
function pointKey({ unit, passageIndex, source, documentStart }: Candidate): string {
  const place = unit.kind === 'sentence' ? `block ${unit.block}` : `item ${documentStart}`;
  return `${place} ${passageIndex} ${source.id}`;
}

function idfOf(units: readonly Candidate[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of units) for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].map(([term, count]) => [term, Math.log(1 + units.length / count)]));
}

function vectorOf({ terms }: Candidate, weights: ReadonlyMap<string, number>): Map<string, number> {
  const vector = new Map<string, number>();
  for (const term of terms) vector.set(term, (vector.get(term) ?? 0) + (weights.get(term) ?? 0));
  const norm = normOf(vector);
  return new Map([...vector].map(([term, weight]) => [term, weight / norm]));
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [term, weight] of a) product += weight * (b.get(term) ?? 0);
  return product / (normOf(a) * normOf(b));
}

function normOf(vector: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of vector.values()) sum += weight * weight;
  return Math.sqrt(sum) || 1;
}
