// `node --import @lectern/service-kit/tracing` loads this module before all others. Without an OTLP
// endpoint it loads nothing else. The settings are those of OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT,
// OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and others
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
const sendsMetrics = process.env.OTEL_METRICS_EXPORTER === 'otlp';
// The tracing SDK would send its own metrics and logs to the endpoint.
process.env.OTEL_METRICS_EXPORTER = 'none';
process.env.OTEL_LOGS_EXPORTER ??= 'none';

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) {
  const { register } = await import('import-in-the-middle/register-hooks.mjs');
  register({
    include: ['express', '@grpc/grpc-js', 'pg', 'pg-pool', 'http', 'https', 'node:http', 'node:https'],
  });
  const { startTracing } = await import('#tracing/start');
  startTracing();
}

// Lectern's metrics: for Prometheus at METRICS_HOST:METRICS_PORT (by default all addresses), and by
// OTLP with OTEL_METRICS_EXPORTER=otlp.
const { METRICS_PORT, METRICS_HOST } = process.env;
const port = METRICS_PORT ? Number(METRICS_PORT) : undefined;
if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
  process.stderr.write('Invalid settings:\n  METRICS_PORT: must be a port\n');
  process.exit(78);
}
if (port !== undefined || sendsMetrics) {
  const { startMetrics } = await import('#metrics/start');
  await startMetrics({ port, host: METRICS_HOST || undefined, otlp: sendsMetrics }).catch((error: unknown) => {
    process.stderr.write(`Metrics cannot be served at port ${port}: ${String(error)}\n`);
    process.exit(1);
  });
}
