import { Worker } from 'node:worker_threads';
import { AppError } from '@lectern/service-kit';
import type { ThreadRequest, ThreadResponse, ThreadSettings, Work } from '#onnx/thread-messages';

/** The result of work in the thread. */
interface WorkResult {
  /** The vectors of all texts after one another, or one score per text. */
  readonly values: Float32Array;
  /** Milliseconds that the model ran. */
  readonly busyMs: number;
}

/** A model in its own thread, so that the service keeps answering while the model runs. */
export interface ModelThread {
  /** Whether work waits or runs. */
  readonly isBusy: boolean;
  /** Urgent work runs before the next batch of other work, four times in a row at most. */
  run(
    work: Work,
    options: { readonly isUrgent: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<WorkResult>;
  /** Stops the thread; pending work rejects. The next work starts it again. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: WorkResult) => void;
  readonly reject: (error: unknown) => void;
}

/** An unused model is removed from memory after this time, and loaded again when it is needed. */
const IDLE_MS = 30 * 60_000;

const stopping = () => new AppError('cancelled', 'The local model is stopping.');

/** Creates the thread of a model. It starts with the first work and keeps no process running. */
export function createModelThread(settings: () => Promise<ThreadSettings>): ModelThread {
  const waiting = new Map<number, Waiting>();
  let worker: Promise<Worker> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  /** Calls of `run`, from before the thread starts to their end. */
  let running = 0;

  const rejectAll = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  const start = (): Promise<Worker> => {
    const starting = settings().then((workerData) => {
      const started = new Worker(new URL('./onnx-thread.ts', import.meta.url), { workerData });
      const stopped = (cause?: unknown) => {
        if (worker !== starting) return;
        worker = undefined;
        rejectAll(new AppError('unavailable', 'The thread of the local model ended early. Try again.', { cause }));
      };
      started.on('error', stopped);
      started.on('exit', () => stopped());
      started.on('message', (response: ThreadResponse) => {
        const request = waiting.get(response.id);
        waiting.delete(response.id);
        if (response.kind === 'done') request?.resolve(response);
        else request?.reject(new AppError(response.code, response.message, { cause: new Error(response.cause) }));
        if (waiting.size === 0) rest(started);
      });
      return started;
    });
    return starting;
  };

  const rest = (started: Worker): void => {
    started.unref();
    clearTimeout(idle);
    idle = setTimeout(() => void close(), IDLE_MS).unref();
  };

  const close = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    rejectAll(stopping());
    await (await ending?.catch(() => undefined))?.terminate();
  };

  const run: ModelThread['run'] = async (work, { isUrgent, signal }) => {
    signal?.throwIfAborted();
    clearTimeout(idle);
    worker ??= start();
    const starting = worker;
    const started = await starting.catch((error: unknown) => {
      if (worker === starting) worker = undefined;
      throw error;
    });
    // A thread that was closed in the meantime never answers.
    if (worker !== starting) throw stopping();
    const id = ++lastId;
    const send = (request: ThreadRequest) => started.postMessage(request);
    const cancel = () => {
      send({ kind: 'cancel', id });
      waiting.get(id)?.reject(signal?.reason);
      waiting.delete(id);
      if (waiting.size === 0) rest(started);
    };
    try {
      return await new Promise<WorkResult>((resolve, reject) => {
        signal?.throwIfAborted();
        waiting.set(id, { resolve, reject });
        started.ref();
        signal?.addEventListener('abort', cancel, { once: true });
        send({ kind: 'work', id, work, isUrgent });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };

  return {
    get isBusy() {
      return running > 0;
    },
    async run(work, options) {
      running += 1;
      try {
        return await run(work, options);
      } finally {
        running -= 1;
      }
    },
    close,
  };
}
