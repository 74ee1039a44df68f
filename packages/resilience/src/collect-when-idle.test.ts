import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { collectGarbage, collectWhenIdle, watchLoad } from '#collect-when-idle';

describe('watchLoad', () => {
  it('reports the first idle interval after a second of work, once', () => {
    const becameIdle = watchLoad();
    expect([0, 600, 100, 600, 10, 10, 2_000, 5].map(becameIdle)).toEqual([
      ...[false, false, false, false, true],
      ...[false, false, true],
    ]);
  });

  it('never reports a busy interval, and at most one for each second of work', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 })), (intervals) => {
        const becameIdle = watchLoad();
        const reported = intervals.filter((cpuMs) => becameIdle(cpuMs));
        const workMs = intervals.filter((cpuMs) => cpuMs >= 250).reduce((sum, cpuMs) => sum + cpuMs, 0);
        expect(reported.every((cpuMs) => cpuMs < 250)).toBe(true);
        expect(reported.length).toBeLessThanOrEqual(workMs / 1_000);
      }),
    );
  });
});

describe('collectWhenIdle', () => {
  it('counts the start of the process as work, and collects once after it', async () => {
    const collect = jest.fn(async () => undefined);
    const checked = Promise.withResolvers<void>();
    const spy = jest.spyOn(process, 'cpuUsage');
    spy.mockImplementation((previous) => {
      const readings = spy.mock.calls.length;
      if (readings > 40) checked.resolve();
      const isStart = previous !== undefined && readings === 1;
      return { user: isStart ? 1_500_000 : 0, system: 0 };
    });
    const stop = collectWhenIdle({ intervalMs: 10, collect });
    await checked.promise;
    stop();
    spy.mockRestore();
    expect(collect).toHaveBeenCalledTimes(1);
  });

  it('stops after a failure without ending the process', async () => {
    const stopped = Promise.withResolvers<void>();
    const { clearInterval } = globalThis;
    const clear = jest.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
      clearInterval(timer);
      stopped.resolve();
    });
    const usage = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    usage.mockReturnValueOnce({ user: 1_500_000, system: 0 });
    const collect = jest.fn(() => Promise.reject(new Error('no inspector')));
    collectWhenIdle({ intervalMs: 10, collect });
    await stopped.promise;
    clear.mockRestore();
    usage.mockRestore();
    expect(collect).toHaveBeenCalledTimes(1);
  });
});

describe('collectGarbage', () => {
  it('frees what is not used, and can be repeated', async () => {
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    let garbage: unknown = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
    expect(process.memoryUsage().heapUsed - before).toBeGreaterThan(16 * 2 ** 20);
    garbage = undefined;
    await collectGarbage();
    await collectGarbage();
    expect(garbage).toBeUndefined();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * 2 ** 20);
  });
});
