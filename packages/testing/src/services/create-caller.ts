import { type Caller, type CallOrigin, newId, onBehalfOf } from '@lectern/service-kit';

/** Creates a caller of a new team, by default with access to everything in it. */
export function createCaller(overrides: Partial<Caller> = {}): Caller {
  return { teamId: newId('team'), keyId: newId('key'), scope: { kind: 'all' }, userEmail: undefined, ...overrides };
}

/** The gRPC call options of this caller. */
export function callAs(caller: Caller, signal?: AbortSignal): ReturnType<typeof onBehalfOf> {
  const origin: CallOrigin = { caller, requestId: newId('request'), signal: signal ?? new AbortController().signal };
  return onBehalfOf(origin);
}
