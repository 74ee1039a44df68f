// Loaded by `node --import @lectern/service-kit/tracing` before anything else. Without an OTLP endpoint it loads nothing, so tracing
// that is off costs nothing. The settings are OpenTelemetry's own: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME,
// OTEL_TRACES_SAMPLER and the rest (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) {
  const { register } = await import('import-in-the-middle/register-hooks.mjs');
  register({
    include: ['express', '@grpc/grpc-js', 'pg', 'pg-pool', 'http', 'https', 'node:http', 'node:https'],
  });
  const { startTracing } = await import('./start.ts');
  startTracing();
}

// A module, for the top-level await.
export {};
