import { type Caller, type CallOrigin, newId, onBehalfOf } from '@lectern/service-kit';

/** A caller of a new team that reaches all of it, unless told otherwise. */
export function createCaller(overrides: Partial<Caller> = {}): Caller {
  return { teamId: newId('team'), keyId: newId('key'), scope: { kind: 'all' }, userEmail: undefined, ...overrides };
}

/** Call options of a request by this caller. */
export function callAs(caller: Caller, signal?: AbortSignal): ReturnType<typeof onBehalfOf> {
  const origin: CallOrigin = { caller, requestId: newId('request'), signal: signal ?? new AbortController().signal };
  return onBehalfOf(origin);
}
