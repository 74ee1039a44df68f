import { describe, expect, it } from '@jest/globals';
import type { EngineError } from '#process/engine-error';
import { startProcess } from '#process/start-process';
import { supervise } from '#process/supervise';
import { waitUntil } from '#process/wait-until';

const run = (code: string) => startProcess({ name: 'worker', command: process.execPath, args: ['-e', code] });
const FOREVER = 'setInterval(() => {}, 1000)';

describe('supervise', () => {
  it('restarts the process after kill -9, passes the previous one to start, and does not restart after stop()', async () => {
    const previous: (number | undefined)[] = [];
    const reasons: string[] = [];
    const worker = await supervise({
      name: 'worker',
      start: (before) => {
        previous.push(before?.pid);
        return run(FOREVER);
      },
      firstDelayMs: 5,
      onRestart: (reason) => reasons.push(reason),
      onGiveUp: () => undefined,
    });
    const first = worker.current().pid;
    process.kill(first, 'SIGKILL');
    await waitUntil(() => worker.current().pid !== first, { what: 'the restart', timeoutMs: 120_000 });
    expect(previous).toEqual([undefined, first]);
    expect(reasons).toEqual(['worker ended unexpectedly (signal SIGKILL)']);
    await worker.stop();
    expect(await worker.current().exited).toMatchObject({ expected: true });
    expect(previous).toHaveLength(2);
  });

  it('gives up on a process that keeps failing', async () => {
    const gaveUp = Promise.withResolvers<EngineError>();
    let starts = 0;
    const worker = await supervise({
      name: 'worker',
      start: () => {
        starts += 1;
        return starts % 2 === 0 ? Promise.reject(new Error('will not start')) : run('process.exit(9)');
      },
      maxRestarts: 4,
      firstDelayMs: 1,
      onGiveUp: gaveUp.resolve,
    });
    expect((await gaveUp.promise).message).toBe(
      'worker ended unexpectedly (exit code 9); gave up after 4 restarts within 60 s',
    );
    expect(starts).toBe(5);
    await worker.stop();
  });

  it('throws the error of the first start', async () => {
    await expect(
      supervise({ name: 'worker', start: () => Promise.reject(new Error('no')), onGiveUp: () => undefined }),
    ).rejects.toThrow('no');
  });
});
