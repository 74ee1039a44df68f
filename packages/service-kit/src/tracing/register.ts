// Loaded by `node --import @lectern/service-kit/tracing` before anything else. Without an OTLP endpoint it loads nothing, so tracing
// that is off costs nothing. The settings are OpenTelemetry's own: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME,
// OTEL_TRACES_SAMPLER and the rest (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
const sendsMetrics = process.env.OTEL_METRICS_EXPORTER === 'otlp';
// The tracer's kit would send metrics and logs of its own to the endpoint.
process.env.OTEL_METRICS_EXPORTER = 'none';
process.env.OTEL_LOGS_EXPORTER ??= 'none';

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) {
  const { register } = await import('import-in-the-middle/register-hooks.mjs');
  register({
    include: ['express', '@grpc/grpc-js', 'pg', 'pg-pool', 'http', 'https', 'node:http', 'node:https'],
  });
  const { startTracing } = await import('./start.ts');
  startTracing();
}

// Metrics: for Prometheus at METRICS_PORT (of METRICS_HOST, by default of all addresses), and by OTLP with OTEL_METRICS_EXPORTER=otlp. Ours alone, apart from the tracer's.
const { METRICS_PORT, METRICS_HOST } = process.env;
const port = METRICS_PORT ? Number(METRICS_PORT) : undefined;
if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
  process.stderr.write('Settings cannot be used:\n  METRICS_PORT: must be a port\n');
  process.exit(78);
}
if (port !== undefined || sendsMetrics) {
  const { startMetrics } = await import('../metrics/start.ts');
  await startMetrics({ port, host: METRICS_HOST || undefined, otlp: sendsMetrics }).catch((error: unknown) => {
    process.stderr.write(`Metrics cannot be served at port ${port}: ${String(error)}\n`);
    process.exit(1);
  });
}
