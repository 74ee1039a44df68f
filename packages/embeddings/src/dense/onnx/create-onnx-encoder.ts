import { createCache } from '@lectern/resilience';
import { AppError, countLookup } from '@lectern/service-kit';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseEncoderSettings } from '#dense/dense-provider';
import { createSpeedLog } from '#dense/onnx/speed-log';
import { vectorSpace } from '#dense/remote/endpoint-settings';
import { defaultThreads, locateModel } from '#onnx/local-models';
import { type LocalModel, readModelFolder } from '#onnx/model-folder';
import { createModelThreads, type ModelThreads } from '#onnx/model-threads';
import { shorten } from '#onnx/pooling';
import { TRAINED_SIMILARITY } from '#similarity';
import { toUnitLength } from '#unit-length';

/** About 1.5 MB at 384 dimensions. */
const CACHED_QUERIES = 1_000;

/**
 * Creates an encoder that runs a downloaded model in a thread of this process. The model is loaded
 * at first use, and loaded again after a failure. Encoders with the same `modelThreads` share it,
 * whatever the length of their vectors is.
 */
export function createOnnxEncoder(settings: DenseEncoderSettings, modelThreads?: ModelThreads): DenseEncoder {
  const { folder, name } = locateModel(settings, 'EMBEDDING');
  const { dimensions: chosen, modelsDir, threads = defaultThreads(), log } = settings;
  const shared = modelThreads ?? createModelThreads({ modelsDir, threads });
  const model = vectorSpace('onnx', name, chosen);
  const speed = createSpeedLog(model, log);
  const queries = createCache<string, Float32Array>({ maxEntries: CACHED_QUERIES });
  let dimensions = chosen;
  let described: Promise<LocalModel> | undefined;

  const describe = (): Promise<LocalModel> => {
    described ??= readModelFolder(folder, name, settings).then(
      (local) => {
        const { precision, pooling } = local;
        log?.info({ model, precision, pooling, threads }, 'using a local model');
        return local;
      },
      (error: unknown) => {
        described = undefined;
        throw error;
      },
    );
    return described;
  };

  const cut = (vector: Float32Array, normalizes: boolean): Float32Array => {
    if (chosen === undefined) return vector;
    if (chosen > vector.length) {
      const message = `The model has ${vector.length} dimensions, not ${chosen}. Check EMBEDDING_DIMENSIONS.`;
      throw new AppError('unavailable', message);
    }
    return toUnitLength(shorten(vector, chosen, normalizes));
  };

  const encode = async (texts: readonly string[], isUrgent: boolean, signal: AbortSignal | undefined) => {
    const local = await describe();
    const { values, busyMs } = await shared.of(local).run({ kind: 'vectors', texts }, { isUrgent, signal });
    const length = values.length / texts.length;
    if (!isUrgent) speed.add(texts.length, busyMs);
    const vectors = texts.map((_, at) => cut(values.slice(at * length, (at + 1) * length), local.normalizesBeforeCut));
    dimensions ??= vectors[0]?.length;
    return vectors;
  };

  return {
    model,
    get dimensions() {
      return dimensions;
    },
    hybridWeight: 1,
    similarity: TRAINED_SIMILARITY,
    isCostly: true,
    async embedDocuments(texts, { signal } = {}) {
      signal?.throwIfAborted();
      const { documentPrefix } = await describe();
      const nonEmpty = [...new Set(texts.filter((text) => text.trim() !== ''))];
      const prefixed = nonEmpty.map((text) => documentPrefix + text);
      const vectors = nonEmpty.length === 0 ? [] : await encode(prefixed, false, signal);
      const byText = new Map(nonEmpty.map((text, at) => [text, vectors[at]]));
      const empty = new Float32Array(dimensions ?? 0);
      return texts.map((text) => byText.get(text) ?? empty);
    },
    async embedQuery(text, { signal } = {}) {
      signal?.throwIfAborted();
      const known = queries.get(text);
      countLookup('query_vector', known !== undefined);
      if (known) return known;
      const { queryPrefix } = await describe();
      const [vector] = await encode([queryPrefix + text], true, signal);
      if (vector === undefined) throw new Error('No vector for the query.');
      queries.set(text, vector);
      return vector;
    },
    async close() {
      const local = await described?.catch(() => undefined);
      if (local !== undefined) await shared.close(local);
    },
  };
}
