import { type Attributes, trace } from '@opentelemetry/api';

/** A measured value with the trace that it was measured in. */
export interface Exemplar {
  readonly traceId: string;
  readonly spanId: string;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** The last exemplar of each bucket of each series of a histogram: no more than there are buckets in the figures themselves. */
export interface Exemplars {
  /** Keeps the value where it was measured inside a span that is sampled: one that is not leads to no trace. */
  note(metric: string, attributes: Attributes, bucket: number, value: number): void;
  of(metric: string, attributes: Attributes): ReadonlyMap<number, Exemplar>;
}

const SAMPLED = 1;
const NONE: ReadonlyMap<number, Exemplar> = new Map();

/** Makes an empty set. */
export function createExemplars(now: () => number = Date.now): Exemplars {
  const kept = new Map<string, Map<number, Exemplar>>();
  return {
    note(metric, attributes, bucket, value) {
      const span = trace.getActiveSpan()?.spanContext();
      if (span === undefined || (span.traceFlags & SAMPLED) === 0) return;
      const series = seriesOf(metric, attributes);
      const buckets = kept.get(series) ?? new Map<number, Exemplar>();
      kept.set(series, buckets);
      buckets.set(bucket, { traceId: span.traceId, spanId: span.spanId, value, atMs: now() });
    },
    of: (metric, attributes) => kept.get(seriesOf(metric, attributes)) ?? NONE,
  };
}

function seriesOf(metric: string, attributes: Attributes): string {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([metric, sorted]);
}

let collected: Exemplars | undefined;

/** Keeps exemplars of all histograms from now on; undefined ends it. Nothing is kept before. */
export function collectExemplars(exemplars: Exemplars | undefined): void {
  collected = exemplars;
}

/** Where exemplars are kept, if they are. */
export const collectedExemplars = (): Exemplars | undefined => collected;
