import { setTimeout as delay } from 'node:timers/promises';
import { createMessaging, keyChanged, type Messaging } from '@lectern/messaging';
import type { Logger } from '@lectern/service-kit';

const RETRY_MS = 5_000;

/** A pair that was changed, rotated or revoked. */
export interface PairChange {
  readonly teamId: string;
  readonly pairId: string;
}

/** How replicas tell each other of changed pairs: at once, but without a promise. The key cache's short memory is the promise. */
export interface PairChanges {
  announce(change: PairChange): void;
  close(): Promise<void>;
}

export interface PairChangesOptions {
  /** NATS' address; undefined where there is none. */
  readonly url: string | undefined;
  readonly log: Logger;
  /** Told of each change, also of those announced here. */
  readonly onChange: (change: PairChange) => void;
}

/** Connects in the background, and again where that fails. Nothing waits for it. */
export function createPairChanges({ url, log, onChange }: PairChangesOptions): PairChanges {
  const closing = new AbortController();
  const { signal } = closing;
  let messaging: Messaging | undefined;

  const connect = async (address: string) => {
    while (!signal.aborted && messaging === undefined) {
      try {
        const connected = await createMessaging({ url: address, name: 'gateway', log, connectTimeoutMs: RETRY_MS });
        if (signal.aborted) return connected.close();
        connected.listen(keyChanged, [], onChange);
        messaging = connected;
      } catch (err) {
        log.warn({ err }, 'NATS is away: other replicas notice a changed key only within 5 s');
        await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  };
  if (url !== undefined) void connect(url);

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
