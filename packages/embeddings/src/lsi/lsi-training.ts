import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError, joinSignals } from '@lectern/service-kit';
import type { LsiPassage } from '#lsi/lsi-sample';
import type { TrainingAnswer, TrainingRequest } from '#lsi/training-messages';

/** A learned space, ready to be stored. */
export interface LearnedLsi {
  /** For `lsiFromBytes`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Passages and terms that it was learned from. */
  readonly passages: number;
  readonly terms: number;
}

/** A training in a thread of its own: the caller's event loop never waits for it. */
export interface LsiTraining {
  /** Adds passages; false once there are as many as are learned from. */
  add(passages: readonly LsiPassage[]): Promise<boolean>;
  /** Learns from what was added. */
  learn(): Promise<LearnedLsi>;
  /** Ends the thread, at any moment; what is under way rejects. */
  close(): Promise<void>;
}

/** Heap of the thread. Typed arrays, the larger part (some 150 MB), come on top. */
const HEAP_MB = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

/** Longest time for one answer, learning included. */
const DEADLINE_MS = 10 * 60_000;

/** Starts a training. `close` has to be called. @throws AppError `timeout`, `cancelled`, `internal_error` where the thread dies. */
export function startLsiTraining({ signal }: { readonly signal?: AbortSignal | undefined } = {}): LsiTraining {
  const worker = new Worker(new URL('./training-thread.ts', import.meta.url), { resourceLimits: HEAP_MB });
  const closing = new AbortController();
  // An `error` without a listener would end the process; whoever waits for an answer sees it by their own.
  worker.on('error', () => undefined);
  worker.on('exit', () => closing.abort(new AppError('internal_error', 'The training thread ended early.')));
  const ask = async (request: TrainingRequest): Promise<TrainingAnswer> => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    using ends = joinSignals(closing.signal, deadline, ...(signal ? [signal] : []));
    try {
      ends.signal.throwIfAborted();
      worker.postMessage(request);
      const [answer]: TrainingAnswer[] = await once(worker, 'message', { signal: ends.signal });
      if (answer === undefined) throw new Error('The training thread gave no answer.');
      return answer;
    } catch (error) {
      if (signal?.aborted) throw new AppError('cancelled', 'The training was cancelled.', { cause: error });
      if (deadline.aborted) throw new AppError('timeout', 'The training took too long.', { cause: error });
      throw error;
    }
  };
  return {
    add: async (passages) => {
      const answer = await ask({ kind: 'passages', passages });
      return answer.kind === 'taken' && answer.more;
    },
    learn: async () => {
      const answer = await ask({ kind: 'learn' });
      if (answer.kind !== 'learned') throw new Error('The training thread answered out of turn.');
      return { bytes: answer.bytes, passages: answer.passages, terms: answer.terms };
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
