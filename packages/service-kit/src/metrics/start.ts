import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { collectExemplars, createExemplars } from '#metrics/exemplars';
import { serveMetrics } from '#metrics/serve-metrics';

export interface MetricsOptions {
  /** The port for Prometheus. Undefined: not served. */
  readonly port?: number | undefined;
  /** Default: all addresses. */
  readonly host?: string | undefined;
  readonly otlp?: boolean;
}

/** The collection of metrics in this process. */
export interface Metrics {
  /** The port for Prometheus, if served. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

/**
 * Starts collecting metrics: serves them at `/metrics` for Prometheus with exemplars, and sends them
 * by OTLP (HTTP) according to OpenTelemetry's settings. Rejects if the port is in use. Must run before any
 * measured module is loaded.
 */
export async function startMetrics({ port, host, otlp = false }: MetricsOptions): Promise<Metrics> {
  const exporter =
    port === undefined
      ? undefined
      : new PrometheusExporter({ preventServerStart: true, withoutTargetInfo: true, withoutScopeInfo: true });
  const readers: IMetricReader[] = [
    ...(exporter ? [exporter] : []),
    ...(otlp ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })] : []),
  ];
  const provider = new MeterProvider({ readers });
  metrics.setGlobalMeterProvider(provider);
  const exemplars = createExemplars();
  const server = exporter && port !== undefined ? await serveMetrics(exporter, exemplars, { port, host }) : undefined;
  if (server) collectExemplars(exemplars);
  return {
    port: server?.port,
    stop: async () => {
      collectExemplars(undefined);
      await server?.stop();
      await provider.shutdown();
    },
  };
}
