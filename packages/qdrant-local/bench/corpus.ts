import { createGaussian, createRandom, createZipf } from './random.ts';

/** The size of a generated collection. */
export interface CorpusSize {
  readonly points: number;
  readonly dimensions: number;
  /** Words per passage; about four fifths of them are distinct. */
  readonly words: number;
  /** Whether passages and queries also contain the 4-grams of their words. */
  readonly grams: boolean;
}

/** A sparse vector as JSON. */
export interface SparseJson {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

const vocabularySize = 60_000;
const topicCount = 200;
// Stopwords are not indexed, so the most frequent indexed words are far from the top of Zipf's law.
const wordShift = 30;
const gramWeight = 0.08;

// FNV-1a, which spreads terms over 32 bits like feature hashing.
function hashOf(term: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function makeVocabulary(random: () => number): string[] {
  const syllables: string[] = [];
  for (const consonant of 'tnsrldmcpbfghvkwz') for (const vowel of 'eaiouy') syllables.push(consonant + vowel);
  const pick = createZipf(random, syllables.length, 8);
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    let word = '';
    const length = 2 + Math.floor(random() * 3);
    for (let i = 0; i < length; i++) word += syllables[pick()] ?? '';
    words.add(random() < 0.5 ? `${word}n` : word);
  }
  return [...words];
}

function countOf(terms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function* gramsOf(words: Iterable<string>): Generator<string> {
  for (const word of words) for (let i = 0; i + 4 <= word.length; i++) yield word.slice(i, i + 4);
}

/** Returns the id of point `i`. */
export function pointId(i: number): string {
  return `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;
}

/**
 * Generates a collection of passages: Zipfian words and 4-grams, and dense vectors clustered by
 * topic. The same size gives the same collection.
 */
export class Corpus {
  readonly size: CorpusSize;
  readonly #random = createRandom(7);
  readonly #gaussian = createGaussian(this.#random);
  readonly #vocabulary = makeVocabulary(this.#random);
  readonly #word = createZipf(this.#random, vocabularySize, wordShift);
  readonly #topics: Float32Array[];

  constructor(size: CorpusSize) {
    this.size = size;
    this.#topics = Array.from({ length: topicCount }, () => this.#noise());
  }

  /** Returns point `i` in the form that an upsert expects. */
  point(i: number) {
    const words = Array.from({ length: this.size.words }, () => this.#vocabulary[this.#word()] ?? '');
    const document = Math.floor(i / 5);
    return {
      id: pointId(i),
      vector: { dense: this.denseVector(), text: this.#sparse(words, (tf, norm) => (tf * 2.5) / (tf + norm), 1) },
      payload: {
        team: 'team-1',
        collection: `collection-${document % 20}`,
        document: `document-${document}`,
        source: ['drive', 'wiki', 'tickets', 'api'][document % 4] ?? 'api',
        connector: `connector-${document % 7}`,
        author: `author-${document % 500}`,
        type: document % 3 ? 'text/html' : 'application/pdf',
        createdAt: new Date(1_600_000_000_000 + document * 60_000).toISOString(),
        updatedAt: new Date(1_700_000_000_000 + document * 60_000).toISOString(),
        principals: ['public', `user:${document % 100}`, `group:${document % 10}`],
        version: 1,
        chunk: i % 5,
        metadata: { department: `department-${document % 12}`, year: 2000 + (document % 25) },
        title: words.slice(0, 6).join(' '),
        url: `https://example.org/documents/${document}`,
        heading: words.slice(6, 9).join(' '),
        text: words.join(' '),
        start: (i % 5) * 1200,
        end: (i % 5) * 1200 + 1200,
      },
    };
  }

  /** Returns a vector of length 1 near one of the topics. */
  denseVector(): number[] {
    const topic = this.#topics[Math.floor(this.#random() * topicCount)] ?? new Float32Array(0);
    const vector = this.#noise().map((value, i) => value + 0.8 * (topic[i] ?? 0));
    const length = Math.hypot(...vector);
    return Array.from(vector, (value) => Number((value / length).toPrecision(7)));
  }

  /** Returns the sparse vector of a query of a few words. */
  sparseQuery(): SparseJson {
    return this.#sparse(this.#queryWords(), (tf) => tf, gramWeight);
  }

  /** Returns the sparse vectors of the same query, with 4-grams and without. */
  queryWithWords(): { readonly all: SparseJson; readonly words: SparseJson } {
    const words = this.#queryWords();
    return { all: this.#sparse(words, (tf) => tf, gramWeight), words: this.#sparse(words, (tf) => tf, 0, false) };
  }

  #queryWords(): string[] {
    return Array.from({ length: 3 + Math.floor(this.#random() * 7) }, () => this.#vocabulary[this.#word()] ?? '');
  }

  // Later dimensions have less variance, like those of a truncated decomposition.
  #noise(): Float32Array {
    return Float32Array.from({ length: this.size.dimensions }, (_, i) => this.#gaussian() * (i + 4) ** -0.3);
  }

  #sparse(
    words: readonly string[],
    weigh: (tf: number, norm: number) => number,
    gramFactor: number,
    grams = this.size.grams,
  ): SparseJson {
    const weights = new Map<number, number>();
    const counts = countOf(words);
    const norm = 0.375 + (1.125 * counts.size) / 150;
    for (const [word, tf] of counts) weights.set(hashOf(word, 0), weigh(tf, norm));
    if (grams)
      for (const [gram, tf] of countOf(gramsOf(counts.keys())))
        weights.set(hashOf(gram, 1), weigh(tf, norm) * gramFactor);
    const entries = [...weights].sort(([a], [b]) => a - b);
    return { indices: entries.map(([index]) => index), values: entries.map(([, value]) => Math.fround(value)) };
  }
}
