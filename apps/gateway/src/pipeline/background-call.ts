import type { UsageKind } from '@lectern/api-spec';
import { type Caller, type Logger, newId } from '@lectern/service-kit';
import type { StoredKey } from '#keys/key-store';
import type { KeyedCall } from '#pipeline/operation';
import { createRequestUsage } from '#usage/request-usage';

/** On whose behalf the gateway works without a request. */
export interface BackgroundWork {
  readonly key: StoredKey;
  readonly caller: Caller;
  /** What started the work, for the audit log. */
  readonly origin: 'slack' | 'schedule';
  readonly usage: UsageKind;
}

/** Creates a call like one with a key or a session, but without the right to manage anything. */
export function backgroundCallFor(
  { key, caller, origin, usage: kind }: BackgroundWork,
  signal: AbortSignal,
  log: Logger,
): KeyedCall {
  const requestId = newId('request');
  const usage = createRequestUsage(kind);
  usage.teamId = key.teamId;
  usage.subject = key.pairId;
  return {
    requestId,
    host: undefined,
    headers: {},
    client: { address: origin, userAgent: undefined, isSecure: true },
    lastEventId: undefined,
    signal,
    log: log.child({ requestId }),
    startedAt: performance.now(),
    usage,
    caller,
    kind: key.kind,
    key,
    presentedKey: '',
  };
}
