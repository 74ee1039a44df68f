import { AppError, joinSignals, type Logger } from '@lectern/service-kit';
import { createAdmission } from '#onnx/admission';
import { defaultThreads, locateModel } from '#onnx/local-models';
import { type ModelChoices, readModelFolder } from '#onnx/model-folder';
import { createModelThread } from '#onnx/model-thread';

export interface OnnxScorerSettings extends Pick<ModelChoices, 'precision' | 'maxTokens'> {
  /** A folder with the model; otherwise `model` is the name of a downloaded one. */
  readonly modelDir?: string | undefined;
  readonly model?: string | undefined;
  readonly modelsDir?: string | undefined;
  readonly threads?: number | undefined;
  /** The maximum time for a call, including the calls before it. */
  readonly timeoutMs: number;
  readonly log?: Pick<Logger, 'info'> | undefined;
}

/** A cross-encoder in a thread of this process: it reads a query and a passage together. */
export interface OnnxScorer {
  /**
   * Returns the relevance of each text to the query, from 0 to 1. Rejects with `unavailable` at once
   * if the calls that wait will probably take longer than the time limit.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

/**
 * Creates a scorer. The model is loaded at first use.
 * @throws ConfigError if a setting is missing
 */
export function createOnnxScorer(settings: OnnxScorerSettings): OnnxScorer {
  const { folder, name } = locateModel(settings, 'RERANK');
  const { modelsDir, threads = defaultThreads(), timeoutMs } = settings;
  const admission = createAdmission(timeoutMs);
  const thread = createModelThread(async () => {
    const model = await readModelFolder(folder, name, settings);
    settings.log?.info({ model: name, precision: model.precision, threads }, 'loading a local reranker');
    return { model, modelsDir, threads };
  });
  return {
    async score(query, texts, signal) {
      if (texts.length === 0) return [];
      signal.throwIfAborted();
      const leave = admission.enter(texts.length);
      if (leave === undefined) {
        const message = `The local reranker could not score this search within ${timeoutMs} ms, because others wait.`;
        throw new AppError('unavailable', `${message} Set MODEL_THREADS or RERANK_DOCUMENTS, or add search replicas.`);
      }
      let busyMs: number | undefined;
      try {
        using either = joinSignals(signal, AbortSignal.timeout(timeoutMs));
        const work = { kind: 'scores', query, texts } as const;
        const result = await thread.run(work, { isUrgent: true, signal: either.signal });
        busyMs = result.busyMs;
        return [...result.values];
      } finally {
        leave(busyMs);
      }
    },
    close: () => thread.close(),
  };
}
