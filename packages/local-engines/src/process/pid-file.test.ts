import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { processIdentity } from '#process/identity';
import { claimPidFile } from '#process/pid-file';

const folder = mkdtempSync(join(tmpdir(), 'lectern-pid-'));
const policy = { stopSignal: 'SIGTERM', timeoutMs: 60_000 } as const;
const dead = { pid: 2 ** 22 + 1, identity: 'long ago' };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('claimPidFile', () => {
  it('is granted to one of many concurrent callers, and to the next after a release', async () => {
    const file = join(folder, 'one.pid.json');
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => claimPidFile(file, policy)));
    const claims = results.filter((result) => result.status === 'fulfilled');
    expect(claims).toHaveLength(1);
    claims[0]!.value.release();
    (await claimPidFile(file, policy)).release();
    expect(existsSync(file)).toBe(false);
  });

  it('stops the process of a dead launcher', async () => {
    const file = join(folder, 'leftover.pid.json');
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const pid = child.pid!;
    writeFileSync(file, JSON.stringify({ owner: dead, child: { pid, identity: processIdentity(pid) } }));
    (await claimPidFile(file, policy)).release();
    expect(processIdentity(pid)).toBeUndefined();
  });

  it('does not stop another process that has the same pid', async () => {
    const file = join(folder, 'reused.pid.json');
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const pid = child.pid!;
    writeFileSync(file, JSON.stringify({ owner: dead, child: { pid, identity: 'started yesterday' } }));
    (await claimPidFile(file, policy)).release();
    expect(processIdentity(pid)).toBeDefined();
    child.kill();
  });

  it('ignores a damaged file', async () => {
    const file = join(folder, 'damaged.pid.json');
    writeFileSync(file, '{"owner":');
    (await claimPidFile(file, policy)).release();
  });
});
