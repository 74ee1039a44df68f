import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@lectern/service-kit';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { readServers } from './read-servers.ts';

export interface ConnectOptions {
  /** `nats://user:password@host:port`, or several with commas. */
  readonly url: string;
  /** The client's name, shown in NATS' monitoring. Answers to it come at `_INBOX.<name>`, which its user must be allowed. */
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
        // Its password may be on its way to the server.
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
    return 'NATS refuses the user and the password in NATS_URL. Set both as its configuration has them.';
  return 'NATS cannot be reached.';
}
