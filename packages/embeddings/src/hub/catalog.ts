/** The version of a model that Lectern offers. It changes only with a version of Lectern. */
export interface Pin {
  /** The commit in the hub. */
  readonly revision: string;
  /** The SHA-256 of the 8-bit weights at that commit. */
  readonly weightsSha256: string;
}

/** A model that Lectern offers by name. Any other model of the hub can be downloaded by its name. */
export interface OfferedModel {
  /** The id in the API. */
  readonly id: string;
  /** The name in the hub. */
  readonly name: string;
  readonly title: string;
  /** What it changes for searches. */
  readonly description: string;
  readonly languages: 'english' | 'multilingual';
  readonly dimensions: number;
  /** The approximate size of the download with 8-bit weights. */
  readonly sizeBytes: number;
  /** Parameters that take part in encoding a token, which decide the speed; in millions. */
  readonly activeParameters: number;
  readonly license: string;
  readonly pin: Pin;
}

const MB = 1_000_000;

/** Embedding models, the smallest first. */
export const OFFERED_MODELS: readonly OfferedModel[] = [
  {
    id: 'small-english',
    name: 'Xenova/bge-small-en-v1.5',
    title: 'Small, English',
    description: 'Finds passages that answer a question in other words. For English texts.',
    languages: 'english',
    dimensions: 384,
    sizeBytes: 35 * MB,
    activeParameters: 21,
    license: 'MIT',
    pin: {
      revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
      weightsSha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
    },
  },
  {
    id: 'small-multilingual',
    name: 'Xenova/multilingual-e5-small',
    title: 'Small, multilingual',
    description: 'Finds passages in other words and in other languages than the question. About 100 languages.',
    languages: 'multilingual',
    dimensions: 384,
    sizeBytes: 136 * MB,
    activeParameters: 21,
    license: 'MIT',
    pin: {
      revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
      weightsSha256: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
    },
  },
  {
    id: 'large-multilingual',
    name: 'Xenova/bge-m3',
    title: 'Large, multilingual',
    description: 'The best results in about 100 languages. Indexing is about 14 times slower than with a small model.',
    languages: 'multilingual',
    dimensions: 1_024,
    sizeBytes: 588 * MB,
    activeParameters: 303,
    license: 'MIT',
    pin: {
      revision: '4de13258303883538bd53b696b452bf8099f0858',
      weightsSha256: '0826f8c1ab9edf1801db86c61919d4d108e8bfc0b809ec823ad366882ff0b77d',
    },
  },
];

/** Rerankers to use with `RERANK_PROVIDER=onnx`. */
export const OFFERED_RERANKERS = [
  {
    name: 'Xenova/ms-marco-MiniLM-L-6-v2',
    title: 'Small, English',
    sizeBytes: 24 * MB,
    pin: {
      revision: 'a09144355adeed5f58c8ed011d209bf8ee5a1fec',
      weightsSha256: 'e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe',
    },
  },
  {
    name: 'onnx-community/bge-reranker-v2-m3-ONNX',
    title: 'Large, multilingual',
    sizeBytes: 588 * MB,
    pin: {
      revision: '6f5ff65298512715a1e669753bc754d2bc8f367b',
      weightsSha256: '912fc1215c2dbff6499700534bd8d31253af01573861abbfc43afd1fab6cce5d',
    },
  },
] as const;

/** Returns the version of an offered model or reranker; undefined for other models. */
export function pinOf(name: string): Pin | undefined {
  return [...OFFERED_MODELS, ...OFFERED_RERANKERS].find((offered) => offered.name === name)?.pin;
}
