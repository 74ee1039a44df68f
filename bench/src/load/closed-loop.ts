import type { LoadResult } from '#load/latency';

/** A load, and when it ends: after the time or the number of requests, whichever comes first. */
export interface ClosedLoop {
  /** Clients that each wait for an answer before they ask again. */
  readonly clients: number;
  readonly durationMs: number;
  readonly maxRequests: number;
  /** Makes one request; numbered from 0 without gaps. */
  readonly request: (number: number) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Puts a load on and times each request. Requests that are under way at the end are waited for and counted. */
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
      const asked = performance.now();
      try {
        await request(next++);
        latenciesMs.push(performance.now() - asked);
      } catch (error) {
        failures += 1;
        firstFailure ??= error instanceof Error ? error.message : String(error);
      }
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return { latenciesMs, elapsedMs: performance.now() - started, failures, firstFailure };
}
