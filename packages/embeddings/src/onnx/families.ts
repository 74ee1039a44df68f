import type { Pooling } from '#onnx/pooling';

/** What the authors of a family of models recommend, for models whose files do not contain it. */
export interface ModelFamily {
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  readonly pooling?: Pooling;
  readonly maxTokens?: number;
  /** Whether vectors are normalized over their values before they are shortened. */
  readonly normalizesBeforeCut?: boolean;
  /** False for models whose activations are too large for 16 bits. */
  readonly supportsFp16?: boolean;
}

const SEARCH_SENTENCE = 'Represent this sentence for searching relevant passages: ';
const SEARCH_TASK = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

/** From the model cards. The first entry that matches a model's name describes it. */
const FAMILIES: readonly (readonly [RegExp, ModelFamily])[] = [
  [/e5-mistral|e5.*7b/, { queryPrefix: `${SEARCH_TASK} `, pooling: 'last', maxTokens: 4_096 }],
  [
    /e5-(small|base|large)-instruct|e5-large-instruct/,
    { queryPrefix: `${SEARCH_TASK} `, pooling: 'mean', maxTokens: 512 },
  ],
  [/(^|[^a-z])e5-/, { queryPrefix: 'query: ', documentPrefix: 'passage: ', pooling: 'mean', maxTokens: 512 }],
  [/bge-m3/, { pooling: 'cls', maxTokens: 8_192 }],
  [
    /bge-(small|base|large)-zh/,
    { queryPrefix: '为这个句子生成表示以用于检索相关文章：', pooling: 'cls', maxTokens: 512 },
  ],
  [/bge-/, { queryPrefix: SEARCH_SENTENCE, pooling: 'cls', maxTokens: 512 }],
  [/gte-.*-v1\.5|gte-multilingual|gte-modernbert/, { pooling: 'cls', maxTokens: 8_192 }],
  [/gte-qwen/, { queryPrefix: `${SEARCH_TASK} `, pooling: 'last', maxTokens: 8_192 }],
  [/gte-/, { pooling: 'mean', maxTokens: 512 }],
  [
    /nomic-embed-text-v2/,
    { queryPrefix: 'search_query: ', documentPrefix: 'search_document: ', pooling: 'mean', maxTokens: 512 },
  ],
  [
    /nomic-embed/,
    {
      queryPrefix: 'search_query: ',
      documentPrefix: 'search_document: ',
      pooling: 'mean',
      maxTokens: 8_192,
      normalizesBeforeCut: true,
    },
  ],
  [/arctic-embed-.*-v2/, { queryPrefix: 'query: ', pooling: 'cls', maxTokens: 8_192 }],
  [/arctic-embed-m-long/, { queryPrefix: SEARCH_SENTENCE, pooling: 'cls', maxTokens: 2_048 }],
  [/arctic-embed/, { queryPrefix: SEARCH_SENTENCE, pooling: 'cls', maxTokens: 512 }],
  [
    /embeddinggemma/,
    {
      queryPrefix: 'task: search result | query: ',
      documentPrefix: 'title: none | text: ',
      pooling: 'mean',
      maxTokens: 2_048,
      supportsFp16: false,
    },
  ],
  [/qwen3-embedding/, { queryPrefix: SEARCH_TASK, pooling: 'last', maxTokens: 8_192 }],
  [/all-minilm-l6|paraphrase-multilingual-minilm/, { pooling: 'mean', maxTokens: 256 }],
];

/** Returns the family of a model by its name, for example `intfloat/e5-small-v2`. */
export function familyOf(name: string): ModelFamily {
  const lower = name.toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(lower))?.[1] ?? {};
}
