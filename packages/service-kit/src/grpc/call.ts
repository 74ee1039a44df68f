import { type CallContext, Metadata } from 'nice-grpc-common';
import { type Caller, writeCaller } from '#caller';
import type { Logger } from '#logging';

/** The metadata entry that carries a request's id through every service. */
export const REQUEST_ID_KEY = 'lectern-request-id';

/** The context of a call for its handler. */
export interface ServiceCall extends CallContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
}

/** The part of a call that its outgoing calls need. */
export interface CallOrigin {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Options for a call on behalf of another one: same caller and request id, cancelled with it. */
export function onBehalfOf(origin: CallOrigin): { metadata: Metadata; signal: AbortSignal } {
  const metadata = Metadata({ [REQUEST_ID_KEY]: origin.requestId });
  writeCaller(metadata, origin.caller);
  return { metadata, signal: origin.signal };
}
