import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

/** Where metrics go. */
export interface MetricsOptions {
  /** Prometheus reads them here; left out, it does not. */
  readonly port?: number | undefined;
  readonly otlp?: boolean;
}

/** The collection of metrics in this process. */
export interface Metrics {
  stop(): Promise<void>;
}

/**
 * Begins to collect metrics: served for Prometheus at `/metrics` of a port of their own, on all addresses, and sent by OTLP (HTTP) to where
 * OpenTelemetry's settings say. Rejects where the port is in use. Must run before what is measured is loaded.
 */
export async function startMetrics({ port, otlp = false }: MetricsOptions): Promise<Metrics> {
  const exporter =
    port === undefined
      ? undefined
      : new PrometheusExporter({ port, preventServerStart: true, withoutTargetInfo: true, withoutScopeInfo: true });
  const readers: IMetricReader[] = [
    ...(exporter ? [exporter] : []),
    ...(otlp ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })] : []),
  ];
  const provider = new MeterProvider({ readers });
  metrics.setGlobalMeterProvider(provider);
  await exporter?.startServer();
  return { stop: () => provider.shutdown() };
}
