import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import { familyOf } from '#onnx/families';
import type { Pooling } from '#onnx/pooling';

/** The precision of a model's weights. `q8` needs a quarter of the memory of `fp32`. */
export type Precision = 'fp32' | 'fp16' | 'q8';

/** The operator's choices for a model; otherwise its files and its family decide. */
export interface ModelChoices {
  readonly precision?: Precision | undefined;
  readonly pooling?: Pooling | undefined;
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
  readonly maxTokens?: number | undefined;
}

/** What the thread needs to run a model. */
export interface ModelFiles {
  readonly folder: string;
  /** The path of the weights. */
  readonly weights: string;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Whether the operator chose the pooling, which then replaces the model's own. */
  readonly isPoolingChosen: boolean;
  readonly padToken: number;
}

/** A model in a folder in the layout of the hub. */
export interface LocalModel extends ModelFiles {
  readonly precision: Precision;
  /** Whether vectors are normalized over their values before they are shortened. */
  readonly normalizesBeforeCut: boolean;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** The names of the weights in the hub, in the order of preference. */
export const WEIGHT_FILES: Readonly<Record<Precision, readonly string[]>> = {
  fp32: ['model.onnx'],
  fp16: ['model_fp16.onnx'],
  q8: ['model_quantized.onnx', 'model_int8.onnx'],
};
/** Folders of a repository that can contain the weights. */
const WEIGHT_FOLDERS = ['onnx', '.'] as const;

/** Passages have about 1,500 characters, and attention needs memory for the square of a text. */
const MOST_TOKENS = 8_192;
const DEFAULT_TOKENS = 512;
/** Settings are a few kilobytes; this only bounds what is parsed. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

const count = z.number().int().positive();
const configJson = z.object({
  _name_or_path: z.string().optional(),
  model_type: z.string().optional(),
  max_position_embeddings: count.optional().catch(undefined),
  // The length of vectors, under the names that the hub's families use.
  hidden_size: count.optional().catch(undefined),
  d_model: count.optional().catch(undefined),
  dim: count.optional().catch(undefined),
  pad_token_id: z.number().int().nonnegative().optional().catch(undefined),
});
const poolingJson = z.object({
  pooling_mode: z.string().optional(),
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_mean_tokens: z.boolean().optional(),
  pooling_mode_lasttoken: z.boolean().optional(),
});
const sentenceJson = z.object({ max_seq_length: count.nullish().catch(undefined) });
const promptsJson = z.object({ prompts: z.record(z.string(), z.string()).optional().catch(undefined) });
// Tokenizers without a limit have a huge number here.
const tokenizerJson = z.object({ model_max_length: z.number().positive().optional().catch(undefined) });

/** Position embeddings of these models start after the id of the padding token. */
const OFFSET_POSITIONS: ReadonlySet<string> = new Set(['roberta', 'xlm-roberta', 'camembert']);

/**
 * Reads how to run the model in a folder. `name` is its name in the hub or the folder's name.
 * @throws AppError `unavailable` with what is missing
 */
export async function readModelFolder(folder: string, name: string, choices: ModelChoices = {}): Promise<LocalModel> {
  const config = await readJson(folder, 'config.json', configJson);
  if (config === undefined) throw incomplete(folder, 'config.json');
  const family = familyOf(`${name} ${config._name_or_path ?? ''}`);
  const [pooling, sentence, prompts, tokenizer] = await Promise.all([
    readJson(folder, '1_Pooling/config.json', poolingJson),
    readJson(folder, 'sentence_bert_config.json', sentenceJson),
    readJson(folder, 'config_sentence_transformers.json', promptsJson),
    readJson(folder, 'tokenizer_config.json', tokenizerJson),
  ]);
  const own = prompts?.prompts ?? {};
  const positions = config.max_position_embeddings ?? MOST_TOKENS;
  const isOffset = OFFSET_POSITIONS.has(config.model_type ?? '');
  const limits = [
    choices.maxTokens ?? sentence?.max_seq_length ?? family.maxTokens ?? tokenizer?.model_max_length ?? DEFAULT_TOKENS,
    isOffset ? positions - 2 : positions,
    MOST_TOKENS,
  ];
  return {
    folder,
    ...(await findWeights(folder, choices.precision, family.supportsFp16 !== false)),
    maxTokens: Math.max(1, Math.floor(Math.min(...limits))),
    pooling: choices.pooling ?? (pooling && namedPooling(pooling)) ?? family.pooling ?? 'mean',
    isPoolingChosen: choices.pooling !== undefined,
    normalizesBeforeCut: family.normalizesBeforeCut === true,
    padToken: config.pad_token_id ?? 0,
    queryPrefix: choices.queryPrefix ?? own.query ?? family.queryPrefix ?? '',
    documentPrefix: choices.documentPrefix ?? own.document ?? own.passage ?? family.documentPrefix ?? '',
  };
}

/**
 * Returns the length of a model's vectors from its `config.json`; undefined if that does not contain
 * it, or is invalid. It is read at once, because it is short and the model is not loaded yet.
 */
export function readWidth(folder: string): number | undefined {
  try {
    const path = join(folder, 'config.json');
    if (statSync(path).size > MAX_JSON_BYTES) return undefined;
    const { hidden_size, d_model, dim } = configJson.parse(JSON.parse(readFileSync(path, 'utf8')));
    return hidden_size ?? d_model ?? dim;
  } catch {
    return undefined;
  }
}

function namedPooling(config: z.output<typeof poolingJson>): Pooling | undefined {
  const mode = config.pooling_mode ?? '';
  if (config.pooling_mode_cls_token || mode === 'cls') return 'cls';
  if (config.pooling_mode_lasttoken || mode === 'lasttoken') return 'last';
  return config.pooling_mode_mean_tokens || mode === 'mean' ? 'mean' : undefined;
}

async function findWeights(folder: string, wanted: Precision | undefined, supportsFp16: boolean) {
  const byPreference: readonly Precision[] = ['q8', 'fp32', ...(supportsFp16 ? (['fp16'] as const) : [])];
  if (wanted === 'fp16' && !supportsFp16) {
    throw unavailable(`The model in ${folder} does not work with fp16. Use fp32 or q8.`);
  }
  for (const precision of wanted === undefined ? byPreference : [wanted]) {
    for (const file of WEIGHT_FILES[precision]) {
      for (const place of WEIGHT_FOLDERS) {
        const weights = join(folder, place, file);
        if ((await stat(weights).catch(() => undefined))?.isFile()) return { precision, weights };
      }
    }
  }
  throw incomplete(folder, `onnx/${WEIGHT_FILES[wanted ?? 'fp32'][0]}`);
}

async function readJson<T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  try {
    if (found.size > MAX_JSON_BYTES) throw new Error(`${found.size} bytes`);
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw unavailable(`The file ${path} is invalid. Download the model again.`, cause);
  }
}

const unavailable = (message: string, cause?: unknown) => new AppError('unavailable', message, { cause });

const incomplete = (folder: string, file: string) =>
  unavailable(`The model folder ${folder} has no ${file}. Check the folder, or download the model again.`);
