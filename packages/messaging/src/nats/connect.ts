import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@lectern/service-kit';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { readServers } from './read-servers.ts';

export interface ConnectOptions {
  /** `nats://user:password@host:port`, or several with commas. */
  readonly url: string;
  /**
   * The client's name, shown in NATS monitoring. Replies arrive at `_INBOX.<name>`, which its user
   * must be allowed to use.
   */
  readonly name: string;
  /** Milliseconds to wait for the first connection, default 30,000. */
  readonly connectTimeoutMs?: number;
}

/** Connects, and stays: after the first connection it reconnects for ever, every 250 ms. */
export async function connectNats({ url, name, connectTimeoutMs = 30_000 }: ConnectOptions): Promise<NatsConnection> {
  const deadline = Date.now() + connectTimeoutMs;
  for (;;) {
    try {
      return await connect({
        ...readServers(url),
        name,
        inboxPrefix: `_INBOX.${name}`,
        timeout: 5_000,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        // The password may not have reached the server yet.
        ignoreAuthErrorAbort: true,
        pingInterval: 5_000,
      });
    } catch (error) {
      if (Date.now() >= deadline) throw new AppError('unavailable', whyAway(error), { cause: error });
      await delay(250);
    }
  }
}

function whyAway(error: unknown): string {
  if (error instanceof errors.AuthorizationError)
    return 'NATS rejects the user or password in NATS_URL. Set both as in the NATS configuration.';
  return 'NATS is not reachable. Check NATS_URL and that the server is running.';
}
