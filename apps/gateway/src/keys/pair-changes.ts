import { createMessaging, keyChanged, type Messaging } from '@lectern/messaging';
import { retry } from '@lectern/resilience';
import type { Logger } from '@lectern/service-kit';

const RETRY_MS = 5_000;

/** A pair that was changed, rotated or revoked. */
export interface PairChange {
  readonly teamId: string;
  readonly pairId: string;
}

/**
 * Announces changed pairs to other replicas. A lost announcement is harmless, because cached keys
 * expire within seconds.
 */
export interface PairChanges {
  announce(change: PairChange): void;
  close(): Promise<void>;
}

export interface PairChangesOptions {
  /** The address of NATS; undefined without NATS. */
  readonly url: string | undefined;
  readonly log: Logger;
  /** Called for each change, including those announced here. */
  readonly onChange: (change: PairChange) => void;
}

/** Connects to NATS in the background and retries until it succeeds. */
export function createPairChanges({ url, log, onChange }: PairChangesOptions): PairChanges {
  const closing = new AbortController();
  const { signal } = closing;
  let messaging: Messaging | undefined;

  const connect = async (address: string) => {
    const connected = await createMessaging({ url: address, name: 'gateway', log, connectTimeoutMs: RETRY_MS });
    if (signal.aborted) return connected.close();
    try {
      connected.listen(keyChanged, [], onChange);
    } catch (error) {
      await connected.close();
      throw error;
    }
    messaging = connected;
  };
  if (url !== undefined) {
    retry(() => connect(url), {
      attempts: Number.POSITIVE_INFINITY,
      minDelayMs: RETRY_MS,
      maxDelayMs: RETRY_MS,
      shouldRetry: () => true,
      onRetry: ({ error: err }) =>
        log.warn({ err }, 'NATS is unavailable; other replicas notice a changed key within 5 s instead of immediately'),
      signal,
    }).catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'could not connect to NATS');
    });
  }

  return {
    announce: (change) => {
      onChange(change);
      messaging?.announce(keyChanged, change);
    },
    close: async () => {
      closing.abort();
      await messaging?.close();
    },
  };
}
