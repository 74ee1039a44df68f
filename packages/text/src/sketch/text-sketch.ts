import { classOf, IDEOGRAPH, MARK, SPACE } from '#characters';

/**
 * The number of values of a sketch. The estimate of a similarity of .8 has a standard error of .035.
 */
export const SKETCH_SIZE = 128;
const BIN_SHIFT = 25;
const EMPTY = 0;
const VALUES = 255;
const NONE = 0xffffffff;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Builds the sketch of a document from its passages, in any order. */
export interface TextSketcher {
  add(text: string): void;
  /** Returns the sketch in Base64; undefined if no passage contains a word. */
  sketch(): string | undefined;
}

/**
 * Returns a sketch of the pairs of adjacent words, by MinHash with one permutation (Li, Owen and
 * Zhang, 2012): the pairs are hashed into bins, and each bin keeps eight bits of its smallest hash.
 * Case, punctuation and the form of Unicode characters do not matter. Never change the hash: stored
 * sketches depend on it.
 */
export function createTextSketcher(): TextSketcher {
  const smallest = new Uint32Array(SKETCH_SIZE).fill(NONE);
  let isEmpty = true;
  return {
    add: (text) => {
      visitWordHashes(text.normalize('NFKC').toLowerCase(), (word, previous) => {
        const hash = mix(Math.imul(previous, 0x9e3779b1) ^ word);
        const bin = hash >>> BIN_SHIFT;
        if (hash < (smallest[bin] ?? 0)) smallest[bin] = hash;
        isEmpty = false;
      });
    },
    sketch: () => (isEmpty ? undefined : Buffer.from(Array.from(smallest, toByte)).toString('base64')),
  };
}

/** Parses a sketch into its own buffer. Returns undefined if it is malformed. */
export function parseSketch(sketch: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Buffer.from(sketch, 'base64'));
  return bytes.length === SKETCH_SIZE ? bytes : undefined;
}

/**
 * Estimates the Jaccard similarity of the word pairs of two texts, from 0 to 1. Bins that are empty
 * in both texts do not count.
 */
export function sketchSimilarity(a: Uint8Array, b: Uint8Array): number {
  let equal = 0;
  let used = 0;
  for (let bin = 0; bin < SKETCH_SIZE; bin++) {
    if (a[bin] === EMPTY && b[bin] === EMPTY) continue;
    used++;
    if (a[bin] === b[bin]) equal++;
  }
  return used === 0 ? 0 : equal / used;
}

/** The low bits of the smallest hash are random; its high bits are mostly zero in a long text. */
function toByte(hash: number): number {
  return hash === NONE ? EMPTY : 1 + (hash % VALUES);
}

/**
 * Visits the hash of each word together with that of the previous one (0 at the start). In scripts
 * without spaces every character is a word.
 */
function visitWordHashes(text: string, visit: (word: number, previous: number) => void): void {
  let previous = 0;
  let hash = FNV_OFFSET;
  let isInWord = false;
  const endWord = (): void => {
    if (!isInWord) return;
    visit(hash, previous);
    previous = hash;
    hash = FNV_OFFSET;
    isInWord = false;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = classOf(unit);
    const isWord = kind === IDEOGRAPH || isUnspacedLetter(unit);
    if (isWord || kind === SPACE || kind === MARK) endWord();
    if (kind === SPACE || kind === MARK) continue;
    hash = Math.imul(hash ^ unit, FNV_PRIME);
    isInWord = true;
    if (isWord) endWord();
  }
  endWord();
}

/** Whether the unit belongs to Thai, Lao, Burmese or Khmer. */
function isUnspacedLetter(unit: number): boolean {
  if (unit < 0x0e00) return false;
  return unit <= 0x0eff || (unit >= 0x1000 && unit <= 0x109f) || (unit >= 0x1780 && unit <= 0x17ff);
}

/** The finalizer of MurmurHash3 (Austin Appleby, public domain). */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
