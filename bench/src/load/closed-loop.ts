import type { LoadResult } from '#load/latency';

/** A load that ends after a time or a number of requests, whichever comes first. */
export interface ClosedLoop {
  /** The number of clients. Each waits for a response before its next request. */
  readonly clients: number;
  readonly durationMs: number;
  readonly maxRequests: number;
  /** Sends one request. Requests are numbered from 0. */
  readonly request: (number: number) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Runs a load and measures each request. Waits for pending requests at the end and counts them. */
export async function runClosedLoop(load: ClosedLoop): Promise<LoadResult> {
  const { clients, durationMs, maxRequests, request, signal } = load;
  const latenciesMs: number[] = [];
  let next = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  const started = performance.now();

  async function client(): Promise<void> {
    while (next < maxRequests && performance.now() - started < durationMs) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      try {
        await request(next++);
        latenciesMs.push(performance.now() - startedAt);
      } catch (error) {
        failures += 1;
        firstFailure ??= error instanceof Error ? error.message : String(error);
      }
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return { latenciesMs, elapsedMs: performance.now() - started, failures, firstFailure };
}
