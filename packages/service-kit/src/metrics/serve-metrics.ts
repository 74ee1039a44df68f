import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { Exemplars } from '#metrics/exemplars';
import { OPEN_METRICS, toOpenMetrics } from '#metrics/open-metrics';

/** The HTTP server for Prometheus. */
export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

const ACCEPTS_OPEN_METRICS = /application\/openmetrics-text/i;

/**
 * Serves `GET /metrics` as OpenMetrics with exemplars if the client accepts it, else in the older
 * Prometheus format. Without a host it listens on all addresses. Rejects if the port is in use.
 */
export async function serveMetrics(
  exporter: PrometheusExporter,
  exemplars: Exemplars,
  { port, host }: { readonly port: number; readonly host?: string | undefined },
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end();
    if (!ACCEPTS_OPEN_METRICS.test(request.headers.accept ?? '')) {
      return exporter.getMetricsRequestHandler(request, response);
    }
    try {
      const { resourceMetrics } = await exporter.collect();
      return response.writeHead(200, { 'content-type': OPEN_METRICS }).end(toOpenMetrics(resourceMetrics, exemplars));
    } catch {
      return response.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  // The metrics server must not keep the process alive.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
