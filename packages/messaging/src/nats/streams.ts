import type { Queue } from '#catalog/define';
import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  nanos,
  RetentionPolicy,
  StorageType,
} from '#nats/jetstream';

/** The stream that stores work until it is acknowledged. */
export const WORK_STREAM = 'LECTERN_WORK';
/** The stream of dead letters, stored for 30 days. */
const DEAD_STREAM = 'LECTERN_DEAD';

const DAY_MS = 86_400_000;

const streams = [
  {
    name: WORK_STREAM,
    subjects: ['lectern.work.>'],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(120_000),
  },
  {
    name: DEAD_STREAM,
    subjects: ['lectern.dead.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(30 * DAY_MS),
    max_msgs: 1_000_000,
  },
];

const isMissing = (error: unknown): boolean => error instanceof JetStreamApiError && error.status === 404;

/** Creates missing streams. `replicas` is 1 on one machine, 3 on a cluster. Idempotent. */
export async function ensureStreams(manager: JetStreamManager, replicas: number): Promise<void> {
  for (const stream of streams) {
    try {
      await manager.streams.info(stream.name);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await manager.streams.add({ ...stream, num_replicas: replicas });
    }
  }
}

/** Creates a queue's durable consumer if it is missing. Idempotent. */
export async function ensureConsumer<T>(manager: JetStreamManager, queue: Queue<T>): Promise<void> {
  try {
    await manager.consumers.info(WORK_STREAM, queue.name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.consumers.add(WORK_STREAM, {
      durable_name: queue.name,
      filter_subject: queue.subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(queue.ackWaitMs),
      // `consumeQueue` limits deliveries: the server would drop the message silently.
      max_deliver: -1,
      max_ack_pending: 2_000,
    });
  }
}
