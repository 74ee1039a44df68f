import { type Attributes, trace } from '@opentelemetry/api';

/** A measured value and its trace. */
export interface Exemplar {
  readonly traceId: string;
  readonly spanId: string;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** The last exemplar of each bucket of each histogram series. */
export interface Exemplars {
  /** Stores a value that was measured inside a sampled span. */
  record(metric: string, attributes: Attributes, bucket: number, value: number): void;
  of(metric: string, attributes: Attributes): ReadonlyMap<number, Exemplar>;
}

const SAMPLED = 1;
const NONE: ReadonlyMap<number, Exemplar> = new Map();

export function createExemplars(now: () => number = Date.now): Exemplars {
  const stored = new Map<string, Map<number, Exemplar>>();
  return {
    record(metric, attributes, bucket, value) {
      const span = trace.getActiveSpan()?.spanContext();
      if (span === undefined || (span.traceFlags & SAMPLED) === 0) return;
      const series = seriesOf(metric, attributes);
      const buckets = stored.get(series) ?? new Map<number, Exemplar>();
      stored.set(series, buckets);
      buckets.set(bucket, { traceId: span.traceId, spanId: span.spanId, value, atMs: now() });
    },
    of: (metric, attributes) => stored.get(seriesOf(metric, attributes)) ?? NONE,
  };
}

function seriesOf(metric: string, attributes: Attributes): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([metric, sorted]);
}

let collected: Exemplars | undefined;

/** Starts to collect exemplars of all histograms. Undefined stops it. */
export function collectExemplars(exemplars: Exemplars | undefined): void {
  collected = exemplars;
}

export const collectedExemplars = (): Exemplars | undefined => collected;
