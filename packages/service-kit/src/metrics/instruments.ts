import { type Attributes, type Counter, type Histogram, metrics } from '@opentelemetry/api';
import { collectedExemplars } from '#metrics/exemplars';
import { within } from '#within';

// Without a collector this is OpenTelemetry's no-op meter. tracing/register.ts starts the collector
// before any other module is loaded.
const meter = metrics.getMeter('lectern');

/** Seconds, from a cache hit to a long chat. */
const BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * Creates a counter, `<name>_total` in Prometheus. Attributes have few values and never contain
 * texts, names or secrets.
 */
export function createCounter(name: string, description: string): Counter {
  return meter.createCounter(name, { description });
}

/** Creates a histogram of durations in seconds, with exemplars. Attributes as for counters. */
export function createDurations(name: string, description: string): Pick<Histogram, 'record'> {
  const histogram = meter.createHistogram(name, {
    description,
    unit: 's',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  });
  return {
    record(seconds, attributes = {}, context) {
      histogram.record(seconds, attributes, context);
      collectedExemplars()?.record(name, attributes, bucketOf(seconds), seconds);
    },
  };
}

/** Returns the index of a value's bucket. */
function bucketOf(seconds: number): number {
  const at = BOUNDARIES.findIndex((bound) => seconds <= bound);
  return at === -1 ? BOUNDARIES.length : at;
}

const lookups = createCounter('lectern_cache_lookups', 'Cache lookups by cache and outcome: hit, miss');

/** Counts a cache hit or miss. `cache` has few values. */
export function countLookup(cache: string, isHit: boolean): void {
  lookups.add(1, { cache, outcome: isHit ? 'hit' : 'miss' });
}

/** A slower value would delay all metrics. */
const READ_TIMEOUT_MS = 1_000;

/**
 * Exports a value that is read only when metrics are collected. It is NaN if reading fails or takes
 * longer than a second. Returns a function that stops the export.
 */
export function observe(
  name: string,
  description: string,
  read: (signal: AbortSignal) => Promise<readonly (readonly [value: number, attributes: Attributes])[]>,
): () => void {
  const gauge = meter.createObservableGauge(name, { description });
  let values: readonly (readonly [value: number, attributes: Attributes])[] = [];
  const callback: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    try {
      values = await within(READ_TIMEOUT_MS, read);
    } catch {
      // Without an observation, OpenTelemetry would repeat the last value.
      values = values.map(([, attributes]) => [Number.NaN, attributes]);
    }
    for (const [value, attributes] of values) result.observe(value, attributes);
  };
  gauge.addCallback(callback);
  return () => gauge.removeCallback(callback);
}

/**
 * Runs `work` and records its duration. The attribute `outcome` is `ok` or the result of
 * `outcomeOf` for the error.
 */
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
