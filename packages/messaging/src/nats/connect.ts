import { retry } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { readServers } from '#nats/read-servers';

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

const RETRY_MS = 250;

/**
 * Connects to NATS. After the first connection, the client reconnects without a limit, every 250
 * ms.
 */
export async function connectNats({ url, name, connectTimeoutMs = 30_000 }: ConnectOptions): Promise<NatsConnection> {
  const options = {
    ...readServers(url),
    name,
    inboxPrefix: `_INBOX.${name}`,
    timeout: 5_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    // The server may not have loaded a changed password yet.
    ignoreAuthErrorAbort: true,
    pingInterval: 5_000,
  };
  try {
    return await retry(() => connect(options), {
      attempts: Number.POSITIVE_INFINITY,
      minDelayMs: RETRY_MS,
      maxDelayMs: RETRY_MS,
      totalMs: connectTimeoutMs,
      shouldRetry: () => true,
    });
  } catch (cause) {
    throw new AppError('unavailable', unavailableMessage(cause), { cause });
  }
}

function unavailableMessage(error: unknown): string {
  if (error instanceof errors.AuthorizationError)
    return 'NATS rejected the user or password in NATS_URL. Use the values of the NATS configuration.';
  return 'NATS is not reachable. Check NATS_URL and that the server is running.';
}
