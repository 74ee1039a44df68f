import { type Context, context } from '@opentelemetry/api';
import { toAppError } from './errors/to-app-error.ts';

export interface BatcherOptions<T, R> {
  /** Does several things at once; answers in their order. */
  readonly work: (items: readonly T[]) => Promise<readonly R[]>;
  /** What a batch may weigh; something heavier goes alone. */
  readonly maxWeight: number;
  /** By default each thing weighs 1. */
  readonly weightOf?: (item: T) => number;
}

/** Does one thing, together with others that are asked for at the same time. Rejects with what `work` throws for it. */
export type Batched<T, R> = (item: T) => Promise<R>;

interface Waiting<T, R> {
  readonly item: T;
  /** Whose trace it belongs to. */
  readonly origin: Context;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Failures of the whole: to try each thing alone would only fail as many times. */
const COMMON_FAILURES: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'cancelled']);

/**
 * Group commit: one batch is at work at a time, and what is asked for meanwhile makes the next. So nothing waits for a batch to fill, and the
 * more is asked for at once, the less each costs. Where a batch fails by one of its things, each is done alone.
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
      // A batch is part of the trace of its first: the others wait for it there.
      const origin = batch[0]?.origin ?? context.active();
      const results = await context.with(origin, () => work(batch.map(({ item }) => item)));
      if (results.length !== batch.length) throw new Error('A batch was answered in part.');
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
    // What is asked for in the same turn goes together.
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
