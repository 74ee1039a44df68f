import type { Span } from '@opentelemetry/api';

/**
 * Removes error messages from a span: database errors contain row values, others contain request
 * data. Keeps the error class.
 */
export function withoutErrorText(span: Span): void {
  const { setStatus, recordException } = span;
  span.setStatus = ({ code }) => setStatus.call(span, { code });
  span.recordException = (exception, time) => {
    const name = exception instanceof Error ? exception.name : 'Error';
    recordException.call(span, { name, message: name }, time);
  };
}
