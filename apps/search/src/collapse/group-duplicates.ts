import { parseSketch, SKETCH_SIZE, sketchSimilarity } from '@lectern/text';

/** A document with the documents after it in the ranking that have nearly the same text. */
export interface Group<Document> {
  readonly first: Document;
  /** In the order of the ranking. */
  readonly duplicates: readonly Document[];
}

/**
 * From this similarity on, two documents are near-duplicates. It corresponds to about one changed
 * word in twenty.
 */
const MIN_SIMILARITY = 0.8;

/**
 * The bands of a sketch: its values, four in each number. Near-duplicates differ in at most a fifth
 * of the values that at least one of them has, so they have an equal band that is not empty.
 */
const BANDS = SKETCH_SIZE / Int32Array.BYTES_PER_ELEMENT;
const EMPTY = 0;

/**
 * Groups a ranking: each document joins the first document before it that starts a group and is a
 * near-duplicate of it. Documents without a sketch stay alone. The time grows with the square of
 * the ranking: 3 ms for 400 documents, 20 ms for 1,000.
 */
export function groupDuplicates<Document>(
  ranking: readonly Document[],
  sketchOf: (document: Document) => string | undefined,
): readonly Group<Document>[] {
  const groups: { readonly first: Document; readonly duplicates: Document[]; readonly sketch?: Uint8Array }[] = [];
  const bands = new Int32Array(ranking.length * BANDS);
  for (const document of ranking) {
    const sketch = parseSketch(sketchOf(document) ?? '');
    if (sketch === undefined) {
      groups.push({ first: document, duplicates: [] });
      continue;
    }
    const own = new Int32Array(sketch.buffer);
    const joined = groups.find(
      (group, at) =>
        group.sketch && haveEqualBand(own, bands, at) && sketchSimilarity(group.sketch, sketch) >= MIN_SIMILARITY,
    );
    if (joined) joined.duplicates.push(document);
    else {
      bands.set(own, groups.length * BANDS);
      groups.push({ first: document, duplicates: [], sketch });
    }
  }
  return groups;
}

/** Compares the bands of a document with those of the group at a position. */
function haveEqualBand(own: Int32Array, bands: Int32Array, group: number): boolean {
  const offset = group * BANDS;
  for (let band = 0; band < BANDS; band++) {
    if (own[band] === bands[offset + band] && own[band] !== EMPTY) return true;
  }
  return false;
}
