import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@lectern/service-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';

export interface ConnectOptions {
  /** `nats://host:port`, or several with commas. */
  readonly url: string;
  /** The client's name, shown in NATS' monitoring. */
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
        servers: url.split(','),
        name,
        timeout: 5_000,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        pingInterval: 5_000,
      });
    } catch (error) {
      if (Date.now() >= deadline) throw new AppError('unavailable', 'NATS cannot be reached.', { cause: error });
      await delay(250);
    }
  }
}
