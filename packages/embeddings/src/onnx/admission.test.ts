import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAdmission } from '#onnx/admission';

describe('createAdmission', () => {
  it('accepts only work that ends in time at a constant speed, and always some if nothing waits', () => {
    const work = fc.record({ size: fc.integer({ min: 1, max: 40 }), ends: fc.nat(3) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(work, { maxLength: 60 }), (msPerUnit, all) => {
        const admission = createAdmission(2_000);
        const queue: { size: number; leave: (busyMs?: number) => void }[] = [];
        let isMeasured = false;
        for (const { size, ends } of all) {
          const before = queue.reduce((sum, other) => sum + other.size, 0);
          const leave = admission.enter(size);
          const fits = isMeasured && (before + size) * msPerUnit <= 2_000;
          // The estimate is a running mean, so that it is not exact at the limit.
          if (before === 0) expect(leave).toBeDefined();
          else if (Math.abs((before + size) * msPerUnit - 2_000) > 1) expect(leave !== undefined).toBe(fits);
          if (leave !== undefined) queue.push({ size, leave });
          for (const done of queue.splice(0, ends)) {
            done.leave(done.size * msPerUnit);
            isMeasured = true;
          }
        }
      }),
    );
  });

  it('does not count work that was given up', () => {
    const admission = createAdmission(100);
    admission.enter(1)?.(10);
    const long = admission.enter(10);
    expect(admission.enter(1)).toBeUndefined();
    long?.();
    expect(admission.enter(1)).toBeDefined();
  });
});
