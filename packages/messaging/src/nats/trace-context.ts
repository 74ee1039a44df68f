import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { type Context, context, propagation } from '@opentelemetry/api';

/** Returns headers that pass the active trace to the message's handler. */
export function traceHeaders(): MsgHdrs {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  const result = headers();
  for (const [name, value] of Object.entries(carrier)) result.set(name, value);
  return result;
}

/** Returns the trace that a message belongs to. */
export function traceContextOf(message: { readonly headers?: MsgHdrs | undefined }): Context {
  const carrier: Record<string, string> = {};
  for (const name of propagation.fields()) {
    const value = message.headers?.get(name);
    if (value) carrier[name] = value;
  }
  return propagation.extract(context.active(), carrier);
}
