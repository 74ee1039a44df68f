import { type Attributes, type Counter, type Histogram, metrics } from '@opentelemetry/api';
import { within } from '../within.ts';
import { collectedExemplars } from './exemplars.ts';

// Where nothing collects metrics, all of this does nothing (OpenTelemetry's no-op meter). What collects is set up before any of our modules is loaded:
// tracing/register.ts.
const meter = metrics.getMeter('lectern');

/** Seconds; from a cache's answer to a long chat. */
const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** A counter; in Prometheus `<name>_total`. Attributes have few values, and are never a text, a name or a secret of anybody's. */
export function createCounter(name: string, description: string): Counter {
  return meter.createCounter(name, { description });
}

/** A histogram of durations in seconds. Attributes as for counters. What is recorded inside a trace may become an exemplar of its bucket. */
export function createDurations(name: string, description: string): Pick<Histogram, 'record'> {
  const histogram = meter.createHistogram(name, {
    description,
    unit: 's',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  });
  return {
    record(seconds, attributes = {}, context) {
      histogram.record(seconds, attributes, context);
      collectedExemplars()?.note(name, attributes, bucketOf(seconds), seconds);
    },
  };
}

/** The place of the first bound that the value does not exceed, as the histogram itself counts. */
function bucketOf(seconds: number): number {
  const at = BOUNDARIES.findIndex((bound) => seconds <= bound);
  return at === -1 ? BOUNDARIES.length : at;
}

const lookups = createCounter(
  'lectern_cache_lookups',
  'Questions to caches, by cache and whether the answer was there',
);

/** Notes whether a cache had what it was asked for. `cache` is one of few names. */
export function countLookup(cache: string, isHit: boolean): void {
  lookups.add(1, { cache, outcome: isHit ? 'hit' : 'miss' });
}

/** A reading that takes longer would hold up all figures. */
const READ_TIMEOUT_MS = 1_000;

/**
 * A value that is asked for whenever metrics are collected, and never otherwise. Where it cannot be told within a second it is NaN. Answers with what
 * ends the asking.
 */
export function observe(
  name: string,
  description: string,
  read: (signal: AbortSignal) => Promise<readonly (readonly [value: number, attributes: Attributes])[]>,
): () => void {
  const gauge = meter.createObservableGauge(name, { description });
  let told: readonly (readonly [value: number, attributes: Attributes])[] = [];
  const callback: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    try {
      told = await within(READ_TIMEOUT_MS, read);
    } catch {
      // OpenTelemetry repeats the last value of what is not observed.
      told = told.map(([, attributes]) => [Number.NaN, attributes]);
    }
    for (const [value, attributes] of told) result.observe(value, attributes);
  };
  gauge.addCallback(callback);
  return () => gauge.removeCallback(callback);
}

/** Runs `work` and notes how long it took, and whether it failed: `outcome` is `ok`, else what `outcomeOf` makes of the error. */
export async function timed<T>(
  durations: Pick<Histogram, 'record'>,
  attributes: Attributes,
  work: () => Promise<T>,
  outcomeOf: (error: unknown) => string = () => 'error',
): Promise<T> {
  const started = performance.now();
  let outcome = 'ok';
  try {
    return await work();
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    durations.record((performance.now() - started) / 1000, { ...attributes, outcome });
  }
}
