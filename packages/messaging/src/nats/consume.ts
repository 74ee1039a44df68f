import { setTimeout as delay } from 'node:timers/promises';
import { createCounter, type Logger, withSpan } from '@lectern/service-kit';
import { context, SpanKind } from '@opentelemetry/api';
import type { Queue } from '../catalogue/define.ts';
import type { Consumer, ConsumerMessages, JetStreamClient, JetStreamManager, JsMsg } from './jetstream.ts';
import { observeQueue } from './observe-queue.ts';
import { ensureConsumer, ensureStreams, WORK_STREAM } from './streams.ts';
import { traceContextOf } from './trace-context.ts';

/** What a handler is told of the delivery. */
export interface Delivery {
  /** Counted from 1. */
  readonly attempt: number;
  /** Aborted when the process shuts down and does not wait any longer. */
  readonly signal: AbortSignal;
}

/**
 * What to do with a message. Returning acknowledges it; throwing gives it back after the queue's backoff. It may run again
 * for a message that it has handled (a crash before the acknowledgement), so it must be idempotent.
 */
export type Handler<T> = (payload: T, delivery: Delivery) => Promise<void>;

export interface ConsumeOptions<T> {
  /** Messages handled at once in this process. */
  readonly concurrency: number;
  /** Told of a message that is given up; runs before it is moved to the dead letters. */
  readonly onDead: (payload: T, error: unknown) => Promise<void>;
}

export interface Consumption {
  /** Takes no more messages, waits up to `drainMs` for those at work, then aborts them. They will be delivered again. */
  stop(drainMs: number): Promise<void>;
}

interface Deps {
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  readonly replicas: number;
  readonly log: Logger;
  readonly toDeadLetters: (message: JsMsg, error: unknown) => Promise<void>;
}

const handled = createCounter('lectern_queue_handled', 'Messages by queue and outcome: done, to be tried again, dead');
const OUTCOMES = ['done', 'retried', 'dead'] as const;

// A pull waits this long for messages; also the longest that `stop` waits for an idle pull.
const PULL_MS = 2_000;
const RECOVERY_MS = 500;

/**
 * Handles a queue's messages until it is stopped. Whatever happens to the server (restart, lost stream, lost consumer), the loop
 * makes anew what is missing and goes on.
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
    handled.add(messages, { queue: queue.name, outcome });
  // A series that began with its first message would not show it as an increase.
  for (const outcome of OUTCOMES) count(outcome, 0);

  const giveUp = async (message: JsMsg, payload: T | undefined, error: unknown) => {
    deps.log.error({ err: error, queue: queue.name, attempts: message.info.deliveryCount }, 'message given up');
    if (payload !== undefined) await options.onDead(payload, error);
    await deps.toDeadLetters(message, error);
    message.term();
    count('dead');
  };

  const handle = async (message: JsMsg) => {
    const attempt = message.info.deliveryCount;
    const renew = setInterval(() => message.working(), queue.ackWaitMs / 4);
    let payload: T | undefined;
    try {
      payload = queue.schema.parse(message.json());
      if (attempt > queue.maxDeliveries) throw new Error('The worker died at every attempt.');
      await handler(payload, { attempt, signal: abort.signal });
      message.ack();
      count('done');
    } catch (error) {
      if (abort.signal.aborted) message.nak();
      else if (payload === undefined || attempt >= queue.maxDeliveries) {
        // A failure to record the end leaves the message unacknowledged: it comes again, and is given up again.
        await giveUp(message, payload, error).catch((err) =>
          deps.log.error({ err, queue: queue.name }, 'giving up failed'),
        );
      } else {
        count('retried');
        deps.log.warn({ err: error, queue: queue.name, attempt }, 'message failed, will be tried again');
        message.nak(queue.backoffMs[Math.min(attempt, queue.backoffMs.length) - 1] ?? RECOVERY_MS);
      }
    } finally {
      clearInterval(renew);
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

  const endObserving = observeQueue(deps.manager, queue);
  const loop = (async () => {
    let consumer: Consumer | undefined;
    while (!stopped) {
      try {
        consumer ??= await open();
        await pull(consumer);
      } catch (error) {
        consumer = undefined;
        if (stopped) break;
        deps.log.warn({ err: error, queue: queue.name }, 'queue cannot be read, trying again');
        await delay(RECOVERY_MS);
      }
    }
  })();

  return {
    stop: async (drainMs) => {
      stopped = true;
      endObserving();
      stopping.resolve();
      batch?.stop();
      const timer = setTimeout(() => abort.abort(), drainMs);
      await loop;
      await Promise.allSettled(inFlight);
      clearTimeout(timer);
    },
  };
}
