import type { Attributes, Span } from '@opentelemetry/api';

/** Attributes of instrumentations that contain an error message. */
const MESSAGES: ReadonlySet<string> = new Set(['grpc.error_message', 'grpc.error_name']);

/**
 * Removes error messages from a span: database errors contain row values, others contain request
 * data. Keeps the error class and the status code.
 */
export function withoutErrorText<S extends Span>(span: S): S {
  const { setStatus, setAttributes, recordException } = span;
  span.setStatus = ({ code }) => setStatus.call(span, { code });
  span.setAttributes = (attributes) => setAttributes.call(span, withoutMessages(attributes));
  span.recordException = (exception, time) => {
    const name = exception instanceof Error ? exception.name : 'Error';
    recordException.call(span, { name, message: name }, time);
  };
  return span;
}

function withoutMessages(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !MESSAGES.has(name)));
}
