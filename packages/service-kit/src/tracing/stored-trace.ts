import { context, propagation } from '@opentelemetry/api';

// The header of https://www.w3.org/TR/trace-context/, which is OpenTelemetry's default.
const FIELD = 'traceparent';

/** Returns the active trace, to be stored with work that runs later or elsewhere. */
export function storeTrace(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier[FIELD];
}

/** Runs `work` in a stored trace, or in the active one if there is none. */
export function inStoredTrace<T>(stored: string | null | undefined, work: () => T): T {
  if (!stored) return work();
  return context.with(propagation.extract(context.active(), { [FIELD]: stored }), work);
}
