import { setTimeout as delay } from 'node:timers/promises';
import { createCounter, type Logger, withSpan } from '@lectern/service-kit';
import { context, SpanKind } from '@opentelemetry/api';
import type { Queue } from '#catalog/define';
import type { Consumer, ConsumerMessages, JetStreamClient, JetStreamManager, JsMsg } from '#nats/jetstream';
import { observeQueue } from '#nats/observe-queue';
import { ensureConsumer, ensureStreams, WORK_STREAM } from '#nats/streams';
import { traceContextOf } from '#nats/trace-context';

/** Information about a delivery for its handler. */
export interface Delivery {
  /** Counted from 1. */
  readonly attempt: number;
  /** Aborted when the process stops and no longer waits for the handler. */
  readonly signal: AbortSignal;
}

/**
 * Handles a message. Returning acknowledges it; after an error it is delivered again with the queue's
 * backoff. Must be idempotent: after a crash before the acknowledgment it runs again.
 */
export type Handler<T> = (payload: T, delivery: Delivery) => Promise<void>;

export interface ConsumeOptions<T> {
  /** The maximum number of messages that this process handles concurrently. */
  readonly concurrency: number;
  /** Called with a message that failed too often, before it becomes a dead letter. */
  readonly onDead: (payload: T, error: unknown) => Promise<void>;
}

export interface Consumption {
  /**
   * Stops taking messages, waits up to `drainMs` for running handlers, then aborts them. Their
   * messages are delivered again.
   */
  stop(drainMs: number): Promise<void>;
}

interface Deps {
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  readonly replicas: number;
  readonly log: Logger;
  readonly toDeadLetters: (message: JsMsg, error: unknown) => Promise<void>;
}

const messagesHandled = createCounter('lectern_queue_handled', 'Messages by queue and outcome: done, retried, dead');
const OUTCOMES = ['done', 'retried', 'dead'] as const;

/** How long a pull waits for messages, and how long `stop` waits for an idle pull. */
const PULL_MS = 2_000;
const RECOVERY_MS = 500;

/**
 * Handles a queue's messages until it is stopped. After a restart of the server or a lost stream or
 * consumer, it recreates what is missing and continues.
 */
export function consumeQueue<T>(
  deps: Deps,
  queue: Queue<T>,
  handler: Handler<T>,
  options: ConsumeOptions<T>,
): Consumption {
  const abort = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const stopping = Promise.withResolvers<void>();
  let stopped = false;
  let batch: ConsumerMessages | undefined;

  const count = (outcome: (typeof OUTCOMES)[number], messages = 1) =>
    messagesHandled.add(messages, { queue: queue.name, outcome });
  // Prometheus cannot see the first increase of a series that does not start at 0.
  for (const outcome of OUTCOMES) count(outcome, 0);

  const deadLetter = async (message: JsMsg, payload: T | undefined, error: unknown) => {
    const attempts = message.info.deliveryCount;
    deps.log.error({ err: error, queue: queue.name, attempts }, 'could not handle a message; gave up');
    if (payload !== undefined) await options.onDead(payload, error);
    await deps.toDeadLetters(message, error);
    message.term();
    count('dead');
  };

  const handle = async (message: JsMsg) => {
    const attempt = message.info.deliveryCount;
    const extend = setInterval(() => message.working(), queue.ackWaitMs / 4);
    let payload: T | undefined;
    try {
      payload = queue.schema.parse(message.json());
      if (attempt > queue.maxDeliveries) throw new Error('The worker crashed at every delivery.');
      await handler(payload, { attempt, signal: abort.signal });
      message.ack();
      count('done');
    } catch (error) {
      if (abort.signal.aborted) message.nak();
      else if (payload === undefined || attempt >= queue.maxDeliveries) {
        // If this fails, the message stays unacknowledged and is delivered again.
        await deadLetter(message, payload, error).catch((err) =>
          deps.log.error({ err, queue: queue.name }, 'could not store a dead letter'),
        );
      } else {
        count('retried');
        deps.log.warn({ err: error, queue: queue.name, attempt }, 'could not handle a message; will retry');
        message.nak(queue.backoffMs[Math.min(attempt, queue.backoffMs.length) - 1] ?? RECOVERY_MS);
      }
    } finally {
      clearInterval(extend);
    }
  };

  const handleTraced = (message: JsMsg) =>
    context.with(traceContextOf(message), () =>
      withSpan(`consume ${queue.name}`, { 'messaging.system': 'nats' }, () => handle(message), SpanKind.CONSUMER),
    );

  const open = async (): Promise<Consumer> => {
    await ensureStreams(deps.manager, deps.replicas);
    await ensureConsumer(deps.manager, queue);
    return deps.client.consumers.get(WORK_STREAM, queue.name);
  };

  const pull = async (consumer: Consumer) => {
    const free = options.concurrency - inFlight.size;
    if (free <= 0) {
      await Promise.race([...inFlight, stopping.promise]);
      return;
    }
    batch = await consumer.fetch({ max_messages: free, expires: PULL_MS });
    if (stopped) batch.stop();
    for await (const message of batch) {
      const work = handleTraced(message).finally(() => inFlight.delete(work));
      inFlight.add(work);
    }
  };

  const stopObserving = observeQueue(deps.manager, queue);
  const loop = (async () => {
    let consumer: Consumer | undefined;
    while (!stopped) {
      try {
        consumer ??= await open();
        await pull(consumer);
      } catch (error) {
        consumer = undefined;
        if (stopped) break;
        deps.log.warn({ err: error, queue: queue.name }, 'could not read the queue, retrying');
        await delay(RECOVERY_MS);
      }
    }
  })();

  return {
    stop: async (drainMs) => {
      stopped = true;
      stopObserving();
      stopping.resolve();
      batch?.stop();
      const timer = setTimeout(() => abort.abort(), drainMs);
      await loop;
      await Promise.allSettled(inFlight);
      clearTimeout(timer);
    },
  };
}
