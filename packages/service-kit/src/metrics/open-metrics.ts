import type { Attributes } from '@opentelemetry/api';
import { DataPointType, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Exemplar, Exemplars } from '#metrics/exemplars';

export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * Formats metrics as OpenMetrics text (https://prometheus.io/docs/specs/om/open_metrics_spec/) with
 * exemplars. OpenTelemetry's exporter writes the older Prometheus format, which has no exemplars.
 */
export function toOpenMetrics({ scopeMetrics }: ResourceMetrics, exemplars: Exemplars): string {
  const families = new Map<string, MetricData[]>();
  for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics)) {
    const name = metric.descriptor.name;
    families.set(name, [...(families.get(name) ?? []), metric]);
  }
  const texts = [...families].map(([name, [first, ...others]]) =>
    first ? family(name, [first, ...others], exemplars) : '',
  );
  return `${texts.join('')}# EOF\n`;
}

function family(name: string, metrics: readonly [MetricData, ...MetricData[]], exemplars: Exemplars): string {
  const [first] = metrics;
  const lines = metrics.flatMap((metric) => samples(name, metric, exemplars));
  return [
    `# HELP ${name} ${escaped(first.descriptor.description)}`,
    `# TYPE ${name} ${typeOf(first)}`,
    ...lines,
    '',
  ].join('\n');
}

const isCounter = (metric: MetricData): boolean => metric.dataPointType === DataPointType.SUM && metric.isMonotonic;

function typeOf(metric: MetricData): string {
  if (metric.dataPointType === DataPointType.HISTOGRAM) return 'histogram';
  return isCounter(metric) ? 'counter' : 'gauge';
}

function samples(name: string, metric: MetricData, exemplars: Exemplars): string[] {
  if (metric.dataPointType === DataPointType.SUM || metric.dataPointType === DataPointType.GAUGE) {
    const full = isCounter(metric) ? `${name}_total` : name;
    return metric.dataPoints.map(({ attributes, value }) => `${full}${labels(attributes)} ${value}`);
  }
  if (metric.dataPointType !== DataPointType.HISTOGRAM) return [];
  return metric.dataPoints.flatMap(({ attributes, value: { buckets, count, sum = 0 } }) => {
    const bucketExemplars = exemplars.of(name, attributes);
    let cumulative = 0;
    const lines = buckets.counts.map((inBucket, at) => {
      cumulative += inBucket;
      const le = at < buckets.boundaries.length ? canonical(buckets.boundaries[at] ?? 0) : '+Inf';
      return `${name}_bucket${labels({ ...attributes, le })} ${cumulative}${withExemplar(bucketExemplars.get(at))}`;
    });
    return [...lines, `${name}_count${labels(attributes)} ${count}`, `${name}_sum${labels(attributes)} ${sum}`];
  });
}

function withExemplar(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return '';
  const { traceId, spanId, value, atMs } = exemplar;
  return ` # ${labels({ trace_id: traceId, span_id: spanId })} ${value} ${(atMs / 1000).toFixed(3)}`;
}

/** Bounds are floats: 1 is written 1.0. */
const canonical = (bound: number): string => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound));

function labels(attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
