import { context, propagation } from '@opentelemetry/api';

// The header of https://www.w3.org/TR/trace-context/, which is OpenTelemetry's default.
const FIELD = 'traceparent';

/** The active trace in a form to be stored with work that is done later, maybe by another process; undefined without one. */
export function storeTrace(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier[FIELD];
}

/** Runs `work` as part of a stored trace; without one, where it stands. */
export function inStoredTrace<T>(stored: string | null | undefined, work: () => T): T {
  if (!stored) return work();
  return context.with(propagation.extract(context.active(), { [FIELD]: stored }), work);
}
