import type { ModelFiles } from '#onnx/model-folder';
import { createModelThread, type ModelThread } from '#onnx/model-thread';

export interface ModelThreadsSettings {
  /** The folder with the packages that run models. */
  readonly modelsDir?: string | undefined;
  /** The number of CPU threads of one run. */
  readonly threads: number;
  readonly createThread?: typeof createModelThread;
}

/** The threads of embedding models. Encoders of the same files share one. */
export interface ModelThreads {
  /** Returns the thread of a model; unused threads of other models end. */
  of(files: ModelFiles): ModelThread;
  close(files: ModelFiles): Promise<void>;
}

/** A model needs its size in memory, from 35 to 600 MB. One that works stays until it is idle. */
const MAX_LOADED = 3;

/** Creates the threads of an installation's embedding models. No model is loaded yet. */
export function createModelThreads(settings: ModelThreadsSettings): ModelThreads {
  const { modelsDir, threads, createThread = createModelThread } = settings;
  /** The least recently used first. */
  const loaded = new Map<string, ModelThread>();

  const endUnused = (): void => {
    for (const [key, thread] of loaded) {
      if (loaded.size < MAX_LOADED) return;
      if (thread.isBusy) continue;
      loaded.delete(key);
      void thread.close();
    }
  };

  return {
    of(files) {
      const { folder, weights, maxTokens, pooling, isPoolingChosen, padToken } = files;
      const model: ModelFiles = { folder, weights, maxTokens, pooling, isPoolingChosen, padToken };
      const key = keyOf(model);
      const known = loaded.get(key);
      loaded.delete(key);
      endUnused();
      const thread = known ?? createThread(() => Promise.resolve({ model, modelsDir, threads }));
      loaded.set(key, thread);
      return thread;
    },
    async close(files) {
      await loaded.get(keyOf(files))?.close();
    },
  };
}

/** What the thread of a model depends on. */
const keyOf = ({ weights, maxTokens, pooling, isPoolingChosen, padToken }: ModelFiles): string =>
  JSON.stringify([weights, maxTokens, pooling, isPoolingChosen, padToken]);
