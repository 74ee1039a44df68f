/** Lists of synonyms, to simulate a trained model. */
export type Concepts = readonly (readonly string[])[];

/** Counts the meanings in a text: synonyms count as one meaning, every other word as its own. */
export function meaningsOf(text: string, concepts: Concepts): ReadonlyMap<string, number> {
  const meanings = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
    const at = concepts.findIndex((words) => words.includes(word));
    const meaning = at < 0 ? word : `concept ${at}`;
    meanings.set(meaning, (meanings.get(meaning) ?? 0) + (at < 0 ? 0.2 : 1));
  }
  return meanings;
}

/** A deterministic embedding: texts with the same meaning are close. The last dimension is never 0. */
export function embedMeanings(text: string, concepts: Concepts, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const [meaning, weight] of meaningsOf(text, concepts)) {
    const at = hash(meaning) % (dimensions - 1);
    vector[at] = (vector[at] ?? 0) + weight;
  }
  vector[dimensions - 1] = 0.01;
  return vector;
}

/** The similarity of two texts, 0 to 1. */
export function meaningOverlap(a: string, b: string, concepts: Concepts): number {
  const other = meaningsOf(b, concepts);
  const own = [...meaningsOf(a, concepts)];
  const shared = own.reduce((sum, [meaning, weight]) => sum + (other.has(meaning) ? weight : 0), 0);
  return (
    shared /
    Math.max(
      1e-9,
      own.reduce((sum, [, weight]) => sum + weight, 0),
    )
  );
}

/** Returns the 32-bit FNV-1a hash. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}
