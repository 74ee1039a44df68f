import { type Context, context } from '@opentelemetry/api';
import { toAppError } from '#errors/to-app-error';

export interface BatcherOptions<T, R> {
  /** Processes a batch. Returns results in the order of the items. */
  readonly work: (items: readonly T[]) => Promise<readonly R[]>;
  /** Maximum weight of a batch. A heavier item gets its own batch. */
  readonly maxWeight: number;
  /** Default: each item weighs 1. */
  readonly weightOf?: (item: T) => number;
}

/**
 * Processes one item, in a batch with others requested at the same time. Rejects with the error of
 * `work`.
 */
export type Batched<T, R> = (item: T) => Promise<R>;

interface Waiting<T, R> {
  readonly item: T;
  /** The trace of the caller. */
  readonly origin: Context;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Errors of a whole batch. Processing its items one by one would fail too. */
const COMMON_FAILURES: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'cancelled']);

/**
 * Creates a batcher for group commits: one batch runs at a time, and items that arrive in the
 * meantime form the next one. No item waits for a batch to fill, and under load each item costs
 * less. If a batch fails because of one item, each item is processed separately.
 */
export function createBatcher<T, R>({ work, maxWeight, weightOf = () => 1 }: BatcherOptions<T, R>): Batched<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let running = false;

  function next(): Waiting<T, R>[] {
    let weight = 0;
    const end = waiting.findIndex(({ item }, at) => {
      weight += weightOf(item);
      return at > 0 && weight > maxWeight;
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function run(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      // A batch belongs to the trace of its first item.
      const origin = batch[0]?.origin ?? context.active();
      const results = await context.with(origin, () => work(batch.map(({ item }) => item)));
      if (results.length !== batch.length) throw new Error('A batch returned the wrong number of results.');
      for (const [at, result] of results.entries()) batch[at]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || COMMON_FAILURES.has(toAppError(error).code)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const one of batch) await run([one]);
    }
  }

  async function drain(): Promise<void> {
    running = true;
    // Items of the same turn of the event loop form one batch.
    await undefined;
    while (waiting.length > 0) await run(next());
    running = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    waiting.push({ item, origin: context.active(), resolve, reject });
    if (!running) void drain();
    return promise;
  };
}
