import { basename, dirname, resolve } from 'node:path';
import { AppError, ConfigError } from '@lectern/service-kit';
import type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';
import type { DenseEncoderSettings } from '#dense/dense-provider';
import { type FeatureExtractor, loadTransformers } from '#dense/onnx/transformers';
import { vectorSpace } from '#dense/remote/endpoint-settings';
import { toUnitLength } from '#dense/unit-length';
import { TRAINED_SIMILARITY } from '#similarity';

/** Texts per batch. */
const BATCH = 16;

/**
 * Creates an encoder that runs the operator's model in this process, from a folder in the layout of
 * transformers.js. It uses mean pooling, as sentence models expect. The model is loaded at first
 * use and never downloaded.
 */
export function createOnnxEncoder(settings: DenseEncoderSettings): DenseEncoder {
  const { modelDir, queryPrefix = '', documentPrefix = '' } = settings;
  if (modelDir === undefined) throw new ConfigError(['EMBEDDING_MODEL_DIR: is required for EMBEDDING_PROVIDER=onnx']);
  const folder = resolve(modelDir);
  let loaded: Promise<FeatureExtractor> | undefined;
  let dimensions = settings.dimensions;

  const run = async (texts: readonly string[]): Promise<Float32Array[]> => {
    loaded ??= loadModel(folder);
    // The next call tries to load the folder again.
    const extract = await loaded.catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    const { dims, data } = await extract(texts, { pooling: 'mean', normalize: true });
    const length = dims.at(-1) ?? 0;
    dimensions ??= length;
    if (length !== dimensions || data.length !== length * texts.length) {
      const message = `The embedding model returned vectors with ${length} dimensions instead of ${dimensions}. Check EMBEDDING_DIMENSIONS.`;
      throw new AppError('upstream_error', message);
    }
    return texts.map((_, at) => toUnitLength(data.slice(at * length, (at + 1) * length)));
  };

  return {
    model: vectorSpace('onnx', settings.model ?? basename(folder), undefined),
    get dimensions() {
      return dimensions;
    },
    hybridWeight: 1,
    similarity: TRAINED_SIMILARITY,
    isCostly: true,
    async embedDocuments(texts, { signal }: EmbedOptions = {}) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH) {
        signal?.throwIfAborted();
        vectors.push(...(await run(texts.slice(from, from + BATCH).map((text) => documentPrefix + text))));
      }
      return vectors;
    },
    async embedQuery(text, { signal } = {}) {
      signal?.throwIfAborted();
      const [vector] = await run([queryPrefix + text]);
      if (vector === undefined) throw new Error('No vector for the query.');
      return vector;
    },
  };
}

async function loadModel(folder: string): Promise<FeatureExtractor> {
  const { env, pipeline } = await loadTransformers();
  env.allowRemoteModels = false;
  env.localModelPath = dirname(folder);
  try {
    return await pipeline('feature-extraction', basename(folder));
  } catch (cause) {
    throw new AppError('unavailable', 'The embedding model could not be loaded. Check EMBEDDING_MODEL_DIR.', { cause });
  }
}
