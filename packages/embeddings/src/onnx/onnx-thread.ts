import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '@lectern/service-kit';
import { batchByLength } from '#onnx/batch-by-length';
import { createJobQueue } from '#onnx/job-queue';
import { type OpenModel, openModel } from '#onnx/open-model';
import type { ThreadRequest, ThreadResponse, ThreadSettings, Work } from '#onnx/thread-messages';
import type { Tokens } from '#onnx/tokenize';

/** Bounds how long a query waits for a batch of passages: about .3 s for a small model. */
const BATCH = { texts: 16, tokens: 4_096 } as const;

/** Work and how far it is done. */
interface Job {
  readonly id: number;
  readonly work: Work;
  readonly isUrgent: boolean;
  tokens?: readonly Tokens[];
  pending?: number[][];
  readonly results: Float32Array[];
  busyMs: number;
}

const settings: ThreadSettings = workerData;
const jobs = createJobQueue<Job>();
let isWorking = false;
let loaded: Promise<OpenModel> | undefined;

const respond = (response: ThreadResponse): void => parentPort?.postMessage(response);

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.kind === 'cancel') {
    jobs.remove(request.id);
    return;
  }
  const { id, work, isUrgent } = request;
  jobs.push({ id, work, isUrgent, results: [], busyMs: 0 });
  void workThroughJobs();
});

async function workThroughJobs(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (;;) {
    const job = jobs.next();
    if (job === undefined) break;
    try {
      if (await runNextBatch(job)) finish(job);
    } catch (error) {
      jobs.remove(job.id);
      const { code, message, cause } = toAppError(error);
      respond({ kind: 'failed', id: job.id, code, message, cause: String(cause ?? message) });
    }
    // Receives queries and cancellations between two batches.
    await nextTurn();
  }
  isWorking = false;
}

/** Runs a batch of a job. Returns whether the job is complete. */
async function runNextBatch(job: Job): Promise<boolean> {
  const model = await openOnce();
  const start = performance.now();
  const { work } = job;
  job.tokens ??= work.texts.map((text) =>
    work.kind === 'scores' ? model.tokenize(work.query, text) : model.tokenize(text),
  );
  job.pending ??= batchByLength(
    job.tokens.map(({ ids }) => ids.length),
    BATCH,
  );
  const positions = job.pending.shift() ?? [];
  const batch = positions.map((at) => job.tokens?.[at] ?? { ids: [], types: [] });
  if (batch.length > 0) {
    const values =
      work.kind === 'vectors'
        ? await model.encode(batch)
        : (await model.score(batch)).map((score) => Float32Array.of(score));
    for (const [at, value] of values.entries()) job.results[positions[at] ?? 0] = value;
  }
  job.busyMs += performance.now() - start;
  return job.pending.length === 0;
}

function openOnce(): Promise<OpenModel> {
  loaded ??= openModel(settings).catch((error: unknown) => {
    // The next request tries again: the files can be complete by then.
    loaded = undefined;
    throw error;
  });
  return loaded;
}

function finish({ id, results, busyMs }: Job): void {
  jobs.remove(id);
  const width = results[0]?.length ?? 0;
  const values = new Float32Array(width * results.length);
  for (const [at, result] of results.entries()) values.set(result, at * width);
  respond({ kind: 'done', id, values, busyMs });
}
