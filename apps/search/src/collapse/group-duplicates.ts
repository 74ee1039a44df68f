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
 * Values per band. Near-duplicates differ in at most a fifth of the values that at least one of
 * them has, so they have an equal band that is not empty: comparing only documents with such a band
 * misses none.
 */
const BAND = 4;
const BANDS = SKETCH_SIZE / BAND;
const BYTE = 256;

/**
 * Groups a ranking: each document joins the first document before it that starts a group and is a
 * near-duplicate of it. Documents without a sketch stay alone.
 */
export function groupDuplicates<Document>(
  ranking: readonly Document[],
  sketchOf: (document: Document) => string | undefined,
): readonly Group<Document>[] {
  const groups: { readonly first: Document; readonly duplicates: Document[]; readonly sketch?: Uint8Array }[] = [];
  const byBand = new Map<number, number[]>();
  for (const document of ranking) {
    const sketch = parseSketch(sketchOf(document) ?? '');
    if (sketch === undefined) {
      groups.push({ first: document, duplicates: [] });
      continue;
    }
    const bands = bandsOf(sketch);
    const candidates = new Set(bands.flatMap((band) => byBand.get(band) ?? []));
    const joined = [...candidates]
      .sort((a, b) => a - b)
      .map((at) => groups[at])
      .find((group) => group?.sketch && sketchSimilarity(group.sketch, sketch) >= MIN_SIMILARITY);
    if (joined) {
      joined.duplicates.push(document);
      continue;
    }
    for (const band of bands) {
      const known = byBand.get(band);
      if (known) known.push(groups.length);
      else byBand.set(band, [groups.length]);
    }
    groups.push({ first: document, duplicates: [], sketch });
  }
  return groups;
}

/** Returns a key for each band that is not empty: its position and its values. */
function bandsOf(sketch: Uint8Array): number[] {
  const bands: number[] = [];
  for (let band = 0; band < BANDS; band++) {
    const values = sketch.subarray(band * BAND, (band + 1) * BAND).reduce((key, value) => key * BYTE + value, 0);
    if (values > 0) bands.push(band * BYTE ** BAND + values);
  }
  return bands;
}
