import { observe } from '@lectern/service-kit';
import type { Queue } from '#catalog/define';
import type { JetStreamManager } from '#nats/jetstream';
import { WORK_STREAM } from '#nats/streams';

/**
 * Exports the length of a queue and the age of the oldest message of all queues. Every consumer
 * exports the same values.
 */
export function observeQueue<T>(manager: JetStreamManager, { name: queue }: Queue<T>): () => void {
  const stops = [
    observe('lectern_queue_pending_messages', 'Messages waiting for a worker, by queue', async () => {
      const { num_pending } = await manager.consumers.info(WORK_STREAM, queue);
      return [[num_pending, { queue }]];
    }),
    observe('lectern_queue_unfinished_messages', 'Messages that a worker has not finished, by queue', async () => {
      const { num_ack_pending } = await manager.consumers.info(WORK_STREAM, queue);
      return [[num_ack_pending, { queue }]];
    }),
    observe('lectern_queue_oldest_seconds', 'Age of the oldest unfinished message of all queues', async () => {
      const { messages, first_ts } = (await manager.streams.info(WORK_STREAM)).state;
      return [[messages === 0 ? 0 : (Date.now() - Date.parse(first_ts)) / 1000, {}]];
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
