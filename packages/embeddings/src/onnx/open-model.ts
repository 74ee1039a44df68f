import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@lectern/service-kit';
import { pool } from '#onnx/pooling';
import { loadRuntime, type Session, type Tensor } from '#onnx/runtime';
import type { ThreadSettings } from '#onnx/thread-messages';
import { createTokenize, type Tokenize, type Tokens } from '#onnx/tokenize';
import { toUnitLength } from '#unit-length';

/** A loaded model. */
export interface OpenModel {
  readonly tokenize: Tokenize;
  /** Returns vectors of unit length. */
  encode(batch: readonly Tokens[]): Promise<Float32Array[]>;
  /** Returns the relevance of the passage to the query for each pair, from 0 to 1. */
  score(batch: readonly Tokens[]): Promise<number[]>;
}

/** A tokenizer of 256,000 words has about 33 MB. */
const MAX_TOKENIZER_BYTES = 128 * 1024 * 1024;

type Input = (batch: readonly Tokens[], length: number, padToken: number) => bigint[];

const rows = (batch: readonly Tokens[], length: number, value: (tokens: Tokens, at: number) => number): bigint[] =>
  batch.flatMap((tokens) => Array.from({ length }, (_, at) => BigInt(value(tokens, at))));

/** The inputs that models can have. */
const INPUTS: Readonly<Record<string, Input>> = {
  input_ids: (batch, length, padToken) => rows(batch, length, ({ ids }, at) => ids[at] ?? padToken),
  attention_mask: (batch, length) => rows(batch, length, ({ ids }, at) => (at < ids.length ? 1 : 0)),
  token_type_ids: (batch, length) => rows(batch, length, ({ types }, at) => types[at] ?? 0),
  position_ids: (batch, length) => rows(batch, length, (_, at) => at),
};

/**
 * Loads a model. Runs block the thread.
 * @throws AppError `unavailable`
 */
export async function openModel({ model, modelsDir, threads }: ThreadSettings): Promise<OpenModel> {
  const { onnx, Tokenizer } = loadRuntime(modelsDir);
  const tokenizerFiles = await Promise.all([
    readObject(join(model.folder, 'tokenizer.json')),
    readObject(join(model.folder, 'tokenizer_config.json'), {}),
  ]);
  const load = async () => ({
    tokenizer: new Tokenizer(...tokenizerFiles),
    session: await onnx.InferenceSession.create(model.weights, { intraOpNumThreads: threads }),
  });
  const { tokenizer, session } = await load().catch((cause: unknown) => {
    throw unavailable(`The model in ${model.folder} could not be loaded. Download it again.`, cause);
  });
  const unknown = session.inputNames.find((name) => INPUTS[name] === undefined);
  if (unknown !== undefined) {
    throw unavailable(`The model needs the input "${unknown}", which Lectern does not support. Use another model.`);
  }

  const run = async (batch: readonly Tokens[], output: string): Promise<Tensor> => {
    const length = Math.max(1, ...batch.map(({ ids }) => ids.length));
    const inputs = session.inputNames.map((name) => {
      const values = BigInt64Array.from(INPUTS[name]?.(batch, length, model.padToken) ?? []);
      return [name, new onnx.Tensor('int64', values, [batch.length, length])] as const;
    });
    const result = (await session.run(Object.fromEntries(inputs), [output]))[output];
    if (result === undefined) throw unavailable('The model returned no output. Use another model.');
    return result;
  };

  const vectorOutput = chooseOutput(session, model.isPoolingChosen);
  return {
    tokenize: createTokenize(tokenizer, model.maxTokens),
    async encode(batch) {
      const vectors = pool(
        await run(batch, vectorOutput),
        batch.map(({ ids }) => ids.length),
        model.pooling,
      );
      return vectors.map((vector) => toUnitLength(vector.map(finite)));
    },
    async score(batch) {
      const { dims, data } = await run(batch, session.outputNames.includes('logits') ? 'logits' : vectorOutput);
      const labels = dims.length === 2 ? (dims[1] ?? 0) : 0;
      if (labels !== 1 && labels !== 2) {
        throw unavailable('The model is not a reranker with one or two labels. Check RERANK_MODEL.');
      }
      // With two labels, the second one means "relevant".
      return batch.map((_, at) => {
        const logit = data[at * labels + labels - 1] ?? 0;
        return sigmoid(finite(labels === 1 ? logit : logit - (data[at * labels] ?? 0)));
      });
    },
  };
}

/**
 * Some models pool their vectors themselves, and can have layers after that. Their output for it is
 * used unless the operator chose another pooling.
 */
function chooseOutput({ outputNames }: Session, isPoolingChosen: boolean): string {
  const own = ['sentence_embedding', 'pooled_embeddings'];
  const tokens = ['last_hidden_state', 'token_embeddings'];
  const preferred = isPoolingChosen ? [...tokens, ...own] : [...own, ...tokens];
  return preferred.find((name) => outputNames.includes(name)) ?? outputNames[0] ?? '';
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new AppError('upstream_error', 'The model returned values that are not numbers.');
  return value;
}

async function readObject(path: string, missing?: object): Promise<object> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined && missing !== undefined) return missing;
  try {
    if (found === undefined) throw new Error('not found');
    if (found.size > MAX_TOKENIZER_BYTES) throw new Error(`${found.size} bytes`);
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value !== 'object' || value === null) throw new Error('not an object');
    return value;
  } catch (cause) {
    throw unavailable(`The file ${path} is missing or invalid. Download the model again.`, cause);
  }
}

const unavailable = (message: string, cause?: unknown) => new AppError('unavailable', message, { cause });
