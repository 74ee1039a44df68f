import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createByteBudget } from '@lectern/resilience';
import { AppError, joinSignals } from '@lectern/service-kit';
import { z } from 'zod';
import type { Listing } from '#tool-servers/listed-tool';

/** A list that needs more is rejected. */
const HEAP_MB = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;
/** Threads at a time. Others wait. */
const MAX_THREADS = 2;
const threads = createByteBudget(MAX_THREADS);
const DEADLINE_MS = 20_000;

/** An OpenAPI document to read, or a list of tools whose schemas must be checked. */
export type ListingWork = { readonly document: string } | { readonly listing: Listing };

const result = z.union([
  z.object({ listing: z.custom<Listing>((value) => typeof value === 'object' && value !== null) }),
  z.object({ problem: z.string() }),
]);

/**
 * Reads and checks what a server lists, in a thread of its own with limits on time and memory: a
 * document or a schema of others can be made to be expensive. Throws `upstream_error`.
 */
export const checkListing = (work: ListingWork, signal: AbortSignal): Promise<Listing> =>
  threads.within(1, () => checkInThread(work, signal), signal);

async function checkInThread(work: ListingWork, signal: AbortSignal): Promise<Listing> {
  const worker = new Worker(new URL('./listing-thread.ts', import.meta.url), {
    workerData: work,
    resourceLimits: HEAP_MB,
  });
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  using ends = joinSignals(signal, deadline);
  try {
    const [message]: unknown[] = await once(worker, 'message', { signal: ends.signal });
    const checked = result.parse(message);
    if ('problem' in checked) throw new AppError('upstream_error', checked.problem);
    return checked.listing;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new AppError('upstream_error', 'The tools of the server need too much time or memory to check.', {
      cause: error,
    });
  } finally {
    await worker.terminate();
  }
}
