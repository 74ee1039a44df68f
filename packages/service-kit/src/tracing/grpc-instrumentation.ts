import type { Tracer } from '@opentelemetry/api';
import { GrpcInstrumentation } from '@opentelemetry/instrumentation-grpc';
import { withoutErrorText } from '#tracing/error-text';

/** The gRPC instrumentation has no hook for its spans, so its tracer removes their error messages. */
export class GrpcInstrumentationWithoutErrorText extends GrpcInstrumentation {
  protected override get tracer(): Tracer {
    const tracer = super.tracer;
    return {
      startSpan: (...args) => withoutErrorText(tracer.startSpan(...args)),
      startActiveSpan: tracer.startActiveSpan.bind(tracer),
    };
  }
}
