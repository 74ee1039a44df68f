import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { processIdentity } from '#process/identity';
import type { ProcessExit } from '#process/managed-process';
import { runToEnd } from '#process/run-to-end';
import { startProcess } from '#process/start-process';
import { waitUntil } from '#process/wait-until';

const folder = mkdtempSync(join(tmpdir(), 'lectern-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FOREVER = 'setInterval(() => {}, 1000)';

function script(code: string, more: Partial<Parameters<typeof startProcess>[0]> = {}) {
  return startProcess({ name: 'script', command: process.execPath, args: ['-e', code], ...more });
}

describe('startProcess', () => {
  it('is ready at the first matching line of either stream, and writes all output to the log file', async () => {
    const logFile = join(folder, 'logs', 'script.log');
    const child = await script(`console.log('one'); console.error('listening on 1'); ${FOREVER}`, {
      readiness: /listening on \d/,
      logFile,
    });
    await child.stop();
    expect(child.lastLines()).toEqual(expect.arrayContaining(['one', 'listening on 1']));
    await waitUntil(() => readFileSync(logFile, 'utf8').includes('one\n'), { what: 'the log', timeoutMs: 120_000 });
  });

  it('is ready when its check resolves', async () => {
    let checks = 0;
    const child = await script(FOREVER, {
      readiness: () => waitUntil(() => ++checks > 3, { what: 'the check', timeoutMs: 120_000 }),
    });
    expect(checks).toBe(4);
    await child.stop();
  });

  it('reports an exit before readiness with the last lines', async () => {
    const failing = script(`console.error('Error: no such setting'); process.exit(3)`, { readiness: /never/ });
    await expect(failing).rejects.toThrow(
      /script ended before it was ready \(exit code 3\).*\nError: no such setting/s,
    );
  });

  it('stops a process that is not ready in time', async () => {
    const pidFile = join(folder, 'slow.pid.json');
    let exit: ProcessExit | undefined;
    const slow = script(FOREVER, {
      readiness: /never/,
      readinessTimeoutMs: 200,
      pidFile,
      onExit: (how) => {
        exit = how;
      },
    });
    await expect(slow).rejects.toThrow('script was not ready after 0.2 s');
    expect(exit).toMatchObject({ signal: 'SIGTERM', expected: true });
  });

  it('kills a process that ignores its stop signal, and its children', async () => {
    const code = `
      process.on('SIGTERM', () => {});
      const child = require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}'], { stdio: 'ignore' });
      console.log('child ' + child.pid); ${FOREVER}`;
    const child = await script(code, { readiness: /child/, stopTimeoutMs: 200 });
    const grandchild = Number(/child (\d+)/.exec(child.lastLines().join('\n'))?.[1]);
    expect(processIdentity(grandchild)).toBeDefined();
    await child.stop();
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL', expected: true });
    await waitUntil(() => processIdentity(grandchild) === undefined, {
      what: 'the grandchild to end',
      timeoutMs: 120_000,
    });
  });

  it('can be stopped twice and after it has ended', async () => {
    const child = await script('process.exit(0)');
    expect(await child.exited).toEqual({ code: 0, signal: null, expected: false });
    await Promise.all([child.stop(), child.stop()]);
  });

  it('stops the process when the start is aborted', async () => {
    const exits: ProcessExit[] = [];
    const aborted = script(FOREVER, {
      readiness: () => new Promise(() => undefined),
      signal: AbortSignal.timeout(150),
      onExit: (exit) => exits.push(exit),
    });
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(exits).toEqual([{ code: null, signal: 'SIGTERM', expected: true }]);
  });

  it('reports a program that does not exist', async () => {
    await expect(startProcess({ name: 'engine', command: '/nowhere/engine' })).rejects.toThrow(
      'engine could not be started: spawn /nowhere/engine ENOENT',
    );
  });
});

describe('runToEnd', () => {
  it('throws with the last lines of a failed command, and kills a command that takes too long', async () => {
    await runToEnd('true', [], { timeoutMs: 120_000 });
    await expect(runToEnd('sh', ['-c', 'echo broken >&2; exit 4'], { timeoutMs: 120_000 })).rejects.toThrow(
      /sh failed \(exit code 4\)\nbroken/,
    );
    await expect(runToEnd('sleep', ['60'], { timeoutMs: 100 })).rejects.toThrow('sleep took longer than 0.1 s');
  });
});
