import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { withoutErrorText } from '#tracing/error-text';
import { GrpcInstrumentationWithoutErrorText } from '#tracing/grpc-instrumentation';
import { fetchOrigin, incomingWithoutQuery, outgoingOrigin } from '#tracing/span-addresses';

/** Probes would be most of the traces. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Starts OpenTelemetry: one trace covers the HTTP request, gRPC, PostgreSQL and Qdrant (through
 * undici); packages/messaging adds NATS. Spans contain no queries of URLs, no paths of external
 * URLs and no error messages. Spans are flushed at SIGTERM.
 */
export function startTracing(): void {
  const sdk = new NodeSDK({
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => PROBES.has(request.url ?? ''),
        startIncomingSpanHook: incomingWithoutQuery,
        startOutgoingSpanHook: outgoingOrigin,
        requestHook: withoutErrorText,
      }),
      // This instrumentation names the request by its route. Spans of layers are not useful.
      new ExpressInstrumentation({ ignoreLayersType: Object.values(ExpressLayerType) }),
      new GrpcInstrumentationWithoutErrorText({ ignoreGrpcMethods: ['Check', 'Watch'] }),
      new PgInstrumentation({ requireParentSpan: true, requestHook: withoutErrorText }),
      new UndiciInstrumentation({
        requireParentforSpans: true,
        startSpanHook: fetchOrigin,
        requestHook: withoutErrorText,
      }),
    ],
  });
  sdk.start();
  process.once('SIGTERM', () => {
    sdk.shutdown().catch(() => undefined);
  });
}
