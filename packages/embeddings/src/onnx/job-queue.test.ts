import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createJobQueue } from '#onnx/job-queue';

describe('createJobQueue', () => {
  it('prefers urgent jobs, and lets no other job wait for more than four turns', () => {
    const arrivals = fc.array(fc.constantFrom('urgent', 'other', 'done', 'turn'), { maxLength: 80 });
    fc.assert(
      fc.property(arrivals, (events) => {
        const queue = createJobQueue<{ id: number; isUrgent: boolean }>();
        let waiting: { id: number; isUrgent: boolean }[] = [];
        let urgentTurns = 0;
        for (const [id, event] of events.entries()) {
          if (event === 'urgent' || event === 'other') {
            const job = { id, isUrgent: event === 'urgent' };
            queue.push(job);
            waiting.push(job);
            continue;
          }
          const job = queue.next();
          const urgent = waiting.filter(({ isUrgent }) => isUrgent);
          const other = waiting.filter(({ isUrgent }) => !isUrgent);
          expect(job === undefined).toBe(waiting.length === 0);
          if (job === undefined) continue;
          expect([urgent[0], other[0]]).toContain(job);
          if (!job.isUrgent && urgent.length > 0) expect(urgentTurns).toBe(4);
          urgentTurns = job.isUrgent && other.length > 0 ? urgentTurns + 1 : 0;
          expect(urgentTurns).toBeLessThanOrEqual(4);
          if (event === 'turn') continue;
          queue.remove(job.id);
          waiting = waiting.filter((known) => known !== job);
        }
      }),
    );
  });
});
