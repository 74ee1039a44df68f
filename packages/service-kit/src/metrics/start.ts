import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { collectExemplars, createExemplars } from './exemplars.ts';
import { serveMetrics } from './serve-metrics.ts';

/** Where metrics go. */
export interface MetricsOptions {
  /** Prometheus reads them here; left out, it does not. */
  readonly port?: number | undefined;
  /** The address that the port is opened at; left out, all of them. */
  readonly host?: string | undefined;
  readonly otlp?: boolean;
}

/** The collection of metrics in this process. */
export interface Metrics {
  /** Where Prometheus reads them; undefined where it does not. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

/**
 * Begins to collect metrics: served for Prometheus at `/metrics` of a port of their own, with exemplars, and sent by OTLP (HTTP) to where
 * OpenTelemetry's settings say, without. Rejects where the port is in use. Must run before what is measured is loaded.
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
