import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError, joinSignals } from '@lectern/service-kit';
import type { LsiPassage } from '#lsi/lsi-sample';
import type { TrainingRequest, TrainingResponse } from '#lsi/training-messages';

/** A learned space for storage. */
export interface LearnedLsi {
  /** For `lsiFromBytes`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of passages and terms that it was learned from. */
  readonly passages: number;
  readonly terms: number;
}

/** A training in its own thread, so that the caller's event loop never waits. */
export interface LsiTraining {
  /** Adds passages; returns false once the limit is reached. */
  add(passages: readonly LsiPassage[]): Promise<boolean>;
  /** Learns from the added passages. */
  learn(): Promise<LearnedLsi>;
  /** Stops the thread at any time; pending calls reject. */
  close(): Promise<void>;
}

/** The thread's heap. Typed arrays, the larger part (about 150 MB), are not included. */
const HEAP_MB = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

/** Deadline of one response, learning included. */
const DEADLINE_MS = 10 * 60_000;

/**
 * Starts a training. The caller must call `close`.
 * @throws AppError `timeout`, `cancelled`, or `internal_error` if the thread dies
 */
export function startLsiTraining({ signal }: { readonly signal?: AbortSignal | undefined } = {}): LsiTraining {
  const worker = new Worker(new URL('./training-thread.ts', import.meta.url), { resourceLimits: HEAP_MB });
  const closing = new AbortController();
  // An `error` event without a listener would end the process. Callers receive the error from their
  // own listeners.
  worker.on('error', () => undefined);
  worker.on('exit', () => closing.abort(new AppError('internal_error', 'The training thread ended early.')));
  const ask = async (request: TrainingRequest): Promise<TrainingResponse> => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    using ends = joinSignals(closing.signal, deadline, ...(signal ? [signal] : []));
    try {
      ends.signal.throwIfAborted();
      worker.postMessage(request);
      const [response]: TrainingResponse[] = await once(worker, 'message', { signal: ends.signal });
      if (response === undefined) throw new Error('The training thread sent no response.');
      return response;
    } catch (error) {
      if (signal?.aborted) throw new AppError('cancelled', 'The training was cancelled.', { cause: error });
      if (deadline.aborted) throw new AppError('timeout', 'The training took too long.', { cause: error });
      throw error;
    }
  };
  return {
    add: async (passages) => {
      const response = await ask({ kind: 'passages', passages });
      return response.kind === 'added' && response.more;
    },
    learn: async () => {
      const response = await ask({ kind: 'learn' });
      if (response.kind !== 'learned') throw new Error('The training thread sent an unexpected response.');
      return { bytes: response.bytes, passages: response.passages, terms: response.terms };
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
