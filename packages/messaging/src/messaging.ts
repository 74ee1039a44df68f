import { retry } from '@lectern/resilience';
import { AppError, type Logger, withSpan } from '@lectern/service-kit';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { SpanKind } from '@opentelemetry/api';
import type { Event, Queue } from '#catalog/define';
import { type ConnectOptions, connectNats } from '#nats/connect';
import { type ConsumeOptions, type Consumption, consumeQueue, type Handler } from '#nats/consume';
import { JetStreamApiError, type JsMsg, jetstream, jetstreamManager } from '#nats/jetstream';
import { ensureStreams } from '#nats/streams';
import { traceHeaders } from '#nats/trace-context';

export interface MessagingOptions extends ConnectOptions {
  readonly log: Logger;
  /** Copies of each stream: 1 on one machine, 3 on a cluster. Default 1. */
  readonly replicas?: number;
}

/** A service's connection to NATS. */
export interface Messaging {
  /**
   * Puts work into a queue and waits until it is stored. The same `id` within two minutes is stored
   * once. Throws `unavailable` after about 5 s. Work that must not be lost also needs a row that a
   * sweeper can find.
   */
  enqueue<T>(queue: Queue<T>, payload: T, id: string): Promise<void>;
  consume<T>(queue: Queue<T>, handler: Handler<T>, options: ConsumeOptions<T>): Consumption;
  /**
   * Publishes an event to current subscribers. Never throws, because no work depends on an event.
   */
  announce<T>(event: Event<T>, payload: T): void;
  /**
   * Subscribes until the returned function is called. `key` filters by the subject's parts, most
   * general first.
   */
  listen<T>(event: Event<T>, key: readonly string[], listener: (payload: T) => void): () => void;
  /** Resolves when the server responds. Waits while it is unavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PUBLISH_TIMEOUT_MS = 2_000;
/** The approximate time after the first attempt until which publishing is retried. */
const PUBLISH_RETRY = { attempts: Number.POSITIVE_INFINITY, minDelayMs: 50, maxDelayMs: 500, totalMs: 5_000 };

/** A cluster that has no leader yet, for example because a server is missing, does not respond or returns 503. */
const STREAMS_RETRY = {
  attempts: Number.POSITIVE_INFINITY,
  minDelayMs: 100,
  maxDelayMs: 1_000,
  totalMs: 30_000,
  shouldRetry: (error: unknown) =>
    error instanceof errors.TimeoutError || (error instanceof JetStreamApiError && error.status === 503),
};

/**
 * Connects a service to NATS and creates the streams. Throws `unavailable` if NATS cannot be
 * reached in time.
 */
export async function createMessaging(options: MessagingOptions): Promise<Messaging> {
  const { log, replicas = 1 } = options;
  const connection = await connectNats(options);
  void reportErrors(connection, log);
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const client = jetstream(connection);
  await retry(() => ensureStreams(manager, replicas), {
    ...STREAMS_RETRY,
    totalMs: options.connectTimeoutMs ?? STREAMS_RETRY.totalMs,
  });

  const publish = async (subject: string, data: string | Uint8Array, msgID: string) => {
    const options = { msgID, headers: traceHeaders(), timeout: PUBLISH_TIMEOUT_MS };
    const publishOnce = async () => {
      try {
        await client.publish(subject, data, options);
      } catch (error) {
        // A server that restarted without its data has no stream for the subject.
        if (!(error instanceof errors.TimeoutError)) await ensureStreams(manager, replicas).catch(() => undefined);
        throw error;
      }
    };
    try {
      await retry(publishOnce, { ...PUBLISH_RETRY, shouldRetry: () => !connection.isClosed() });
    } catch (cause) {
      throw new AppError('unavailable', 'The work queue cannot be reached. Try again shortly.', { cause });
    }
  };

  const toDeadLetters = (message: JsMsg, error: unknown) => {
    log.debug({ err: error }, 'dead letter');
    return publish(message.subject.replace(/^lectern\.work/, 'lectern.dead'), message.data, `dead-${message.seq}`);
  };

  return {
    enqueue: (queue, payload, id) =>
      withSpan(
        `enqueue ${queue.name}`,
        { 'messaging.system': 'nats' },
        () => publish(queue.subject, JSON.stringify(payload), `${queue.name}:${id}`),
        SpanKind.PRODUCER,
      ),
    consume: (queue, handler, consumeOptions) =>
      consumeQueue({ manager, client, replicas, log, toDeadLetters }, queue, handler, consumeOptions),
    announce: (event, payload) => {
      if (connection.isClosed()) return;
      try {
        connection.publish(event.subject(payload), JSON.stringify(payload), { headers: traceHeaders() });
      } catch (error) {
        log.warn({ err: error, event: event.name }, 'could not publish an event');
      }
    },
    listen: (event, key, listener) => {
      const subscription = connection.subscribe(event.pattern(...key), {
        callback: (error, message) => {
          try {
            // `reportErrors` logs errors of the connection.
            if (error === null) listener(event.schema.parse(message.json()));
          } catch (err) {
            log.warn({ err, event: event.name }, 'could not handle an event');
          }
        },
      });
      return () => subscription.unsubscribe();
    },
    ping: () => connection.flush(),
    close: async () => {
      await connection.drain().catch(() => connection.close());
    },
  };
}

/**
 * Logs the errors that the server reports until the connection is closed. A missing permission is
 * visible nowhere else, because events have no acknowledgment and a rejected subscription receives
 * nothing.
 */
async function reportErrors(connection: NatsConnection, log: Logger): Promise<void> {
  const reported = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type !== 'error') continue;
    const { error } = status;
    if (error instanceof errors.PermissionViolationError) {
      const { operation, subject } = error;
      // Logs each kind of event once.
      const kind = `${operation} ${subject.split('.').slice(0, 2).join('.')}`;
      if (reported.has(kind)) continue;
      reported.add(kind);
      log.error({ operation, subject }, 'NATS does not allow this subject: check the permissions of its users');
    } else log.warn({ err: error }, 'NATS reported an error');
  }
}
