import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OnnxGraph } from '#onnx/onnx-writer';

/** The shape of a generated model. The defaults are those of all-MiniLM-L6-v2. */
export interface GeneratedModel {
  /** `pair` scores a query and a passage together, as a reranker does. */
  readonly head?: 'hidden' | 'pair';
  /** Words with a token of their own. Other words are unknown. */
  readonly words: readonly string[];
  readonly layers?: number;
  readonly dimensions?: number;
  readonly heads?: number;
  readonly maxTokens?: number;
  /** `q8` quantizes weights to 8 bits and activations as they occur, as published models do. */
  readonly precisions?: readonly ('fp32' | 'fp16' | 'q8')[];
  /** Other files of the folder, which replace the default ones. */
  readonly files?: Readonly<Record<string, unknown>>;
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'] as const;
const ONNX_FILES = { fp32: 'model.onnx', fp16: 'model_fp16.onnx', q8: 'model_quantized.onnx' } as const;
/** Small, so that the vector of a text is close to the mean of its words. */
const WEIGHT = 0.02;

/** Writes a BERT model with random weights and its tokenizer in the layout of a hub repository. */
export async function writeGeneratedModel(folder: string, model: GeneratedModel): Promise<void> {
  const { precisions = ['fp32'], maxTokens = 512, dimensions = 384 } = model;
  const vocabulary = [...SPECIAL, ...new Set(model.words)];
  const json: Record<string, unknown> = {
    'config.json': {
      model_type: 'bert',
      hidden_size: dimensions,
      max_position_embeddings: maxTokens,
      vocab_size: vocabulary.length,
    },
    'tokenizer.json': tokenizerOf(vocabulary),
    'tokenizer_config.json': { model_max_length: maxTokens, tokenizer_class: 'BertTokenizer' },
    ...(model.head === 'pair' ? {} : { '1_Pooling/config.json': { pooling_mode_mean_tokens: true } }),
    ...model.files,
  };
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(json)) await write(path, JSON.stringify(content));
  for (const precision of precisions) {
    await write(`onnx/${ONNX_FILES[precision]}`, buildBert(model, vocabulary.length, precision));
  }
}

function tokenizerOf(vocabulary: readonly string[]) {
  const special = (name: string, type: number) => ({ SpecialToken: { id: name, type_id: type } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  const single = [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0)];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, sequence('B', 1), special('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocabulary.indexOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

/** Returns the same numbers between -scale and scale for the same seed. */
function random(count: number, scale: number, seed: number): Float32Array<ArrayBuffer> {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 31 - 1) * scale;
  });
}

function buildBert(
  { head = 'hidden', layers = 6, dimensions = 384, heads = 12, maxTokens = 512 }: GeneratedModel,
  vocabulary: number,
  precision: 'fp32' | 'fp16' | 'q8',
): Uint8Array {
  const graph = new OnnxGraph();
  let seed = 1;
  const nextSeed = (): number => {
    seed += 7_919;
    return seed;
  };
  const weights = (dims: readonly number[], scale = WEIGHT): string => {
    const values = random(
      dims.reduce((size, dim) => size * dim, 1),
      scale,
      nextSeed(),
    );
    if (precision !== 'fp16') return graph.tensor('float32', dims, values);
    return graph.node('Cast', [graph.tensor('float16', dims, new Float16Array(values))], { to: 1 });
  };
  const times = (from: string, rows: number, columns: number): string => {
    if (precision !== 'q8') return graph.node('MatMul', [from, weights([rows, columns])]);
    const values = random(rows * columns, WEIGHT, nextSeed());
    const scale = WEIGHT / 127;
    const quantized = graph.tensor(
      'int8',
      [rows, columns],
      Int8Array.from(values, (value) => Math.round(value / scale)),
    );
    const [input, inputScale, inputZero] = ['q', 's', 'z'].map((name) => `${name}${seed}`) as [string, string, string];
    graph.nodes('DynamicQuantizeLinear', [from], [input, inputScale, inputZero]);
    const product = graph.node('MatMulInteger', [input, quantized, inputZero]);
    const factor = graph.node('Mul', [inputScale, graph.number(scale)]);
    return graph.node('Mul', [graph.node('Cast', [product], { to: 1 }), factor]);
  };
  const normalized = (from: string): string =>
    graph.node(
      'LayerNormalization',
      [
        from,
        graph.tensor('float32', [dimensions], new Float32Array(dimensions).fill(1)),
        graph.tensor('float32', [dimensions], new Float32Array(dimensions)),
      ],
      { axis: -1 },
    );

  const ids = graph.input('input_ids', ['batch', 'length']);
  const mask = graph.input('attention_mask', ['batch', 'length']);
  const types = graph.input('token_type_ids', ['batch', 'length']);
  const weightOf = graph.node('Cast', [mask], { to: 1 });
  const hidden = graph.node('Mul', [
    graph.node('Sub', [graph.number(1), graph.node('Unsqueeze', [weightOf, graph.integers(1, 2)])]),
    graph.number(-10_000),
  ]);
  const length = graph.node('Gather', [graph.node('Shape', [ids]), graph.tensor('int64', [], BigInt64Array.of(1n))]);
  const positions = graph.node('Range', [
    graph.tensor('int64', [], BigInt64Array.of(0n)),
    length,
    graph.tensor('int64', [], BigInt64Array.of(1n)),
  ]);
  const words = graph.node('Gather', [weights([vocabulary, dimensions], 1), ids]);
  const places = graph.node('Gather', [weights([maxTokens, dimensions]), positions]);
  const kinds = graph.node('Gather', [weights([2, dimensions]), types]);
  let state = normalized(graph.node('Add', [graph.node('Add', [words, places]), kinds]));

  const split = graph.integers(0, 0, heads, dimensions / heads);
  const join = graph.integers(0, 0, dimensions);
  for (let layer = 0; layer < layers; layer += 1) {
    const part = (perm: readonly number[]) =>
      graph.node('Transpose', [graph.node('Reshape', [times(state, dimensions, dimensions), split])], { perm });
    const scores = graph.node('Div', [
      graph.node('MatMul', [part([0, 2, 1, 3]), part([0, 2, 3, 1])]),
      graph.number(Math.sqrt(dimensions / heads)),
    ]);
    const attention = graph.node('Softmax', [graph.node('Add', [scores, hidden])], { axis: -1 });
    const context = graph.node('Transpose', [graph.node('MatMul', [attention, part([0, 2, 1, 3])])], {
      perm: [0, 2, 1, 3],
    });
    const attended = times(graph.node('Reshape', [context, join]), dimensions, dimensions);
    state = normalized(graph.node('Add', [state, attended]));
    const wide = times(state, dimensions, 4 * dimensions);
    const erf = graph.node('Erf', [graph.node('Div', [wide, graph.number(Math.SQRT2)])]);
    const gelu = graph.node('Mul', [
      wide,
      graph.node('Mul', [graph.node('Add', [erf, graph.number(1)]), graph.number(0.5)]),
    ]);
    state = normalized(graph.node('Add', [state, times(gelu, 4 * dimensions, dimensions)]));
  }
  if (head === 'hidden') {
    graph.output('last_hidden_state', state, ['batch', 'length', dimensions]);
    return graph.finish();
  }
  // The logit of a pair is the cosine of the mean vectors of both texts, scaled.
  const isPassage = graph.node('Cast', [types], { to: 1 });
  const vectorOf = (share: string): string => {
    const weight = graph.node('Unsqueeze', [graph.node('Mul', [weightOf, share]), graph.integers(2)]);
    const sum = graph.node('ReduceSum', [graph.node('Mul', [state, weight]), graph.integers(1)], { keepdims: 0 });
    return graph.node('LpNormalization', [sum], { axis: -1, p: 2 });
  };
  const cosine = graph.node(
    'ReduceSum',
    [
      graph.node('Mul', [vectorOf(graph.node('Sub', [graph.number(1), isPassage])), vectorOf(isPassage)]),
      graph.integers(1),
    ],
    { keepdims: 1 },
  );
  graph.output('logits', graph.node('Mul', [cosine, graph.number(5)]), ['batch', 1]);
  return graph.finish();
}
