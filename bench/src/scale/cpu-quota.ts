import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '@lectern/local-engines';

const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';
const PERIOD_US = 20_000;
/** The highest ordinary priority, so that other processes do not use the quota. */
const SHARES = 88_761;
const WEIGHT = 10_000;

/** A group of processes with a CPU limit, like a container's. */
export interface CpuQuota {
  add(pid: number): Promise<void>;
  /** Call after its processes have ended. */
  remove(): Promise<void>;
}

/** Pins a process with all its threads to one processor, counted from 0. */
export async function pinTo(pid: number, processor: number): Promise<void> {
  await promisify(execFile)('taskset', ['--all-tasks', '--pid', '--cpu-list', String(processor), String(pid)]);
}

/**
 * Creates a group with Linux control groups, which need root. `cores` is 0.25 for a quarter of one.
 * Throws if unavailable.
 */
export async function createCpuQuota(name: string, cores: number): Promise<CpuQuota> {
  const isV1 = existsSync(join(V1, 'cpu.cfs_quota_us'));
  const isV2 = (await readFile(join(V2, 'cgroup.controllers'), 'utf8').catch(() => '')).split(/\s/).includes('cpu');
  if (!(isV1 || isV2)) throw new Error('CPU control groups are not available on this machine.');
  const folder = join(isV1 ? V1 : V2, `lectern-${process.pid}-${name}`);
  await mkdir(folder);
  const set = (file: string, value: string) => writeFile(join(folder, file), value);
  const quota = String(Math.round(PERIOD_US * cores));
  if (isV1) {
    await set('cpu.cfs_period_us', String(PERIOD_US));
    await set('cpu.cfs_quota_us', quota);
    await set('cpu.shares', String(SHARES));
    // Real-time processes have a separate budget on each processor.
    if (existsSync(join(folder, 'cpu.rt_runtime_us'))) {
      await set('cpu.rt_period_us', String(PERIOD_US));
      await set('cpu.rt_runtime_us', quota);
    }
  } else {
    await set('cpu.max', `${quota} ${PERIOD_US}`);
    await set('cpu.weight', String(WEIGHT));
  }
  return {
    add: (pid) => set('cgroup.procs', String(pid)),
    remove: () =>
      waitUntil(
        () =>
          rmdir(folder).then(
            () => true,
            () => false,
          ),
        { what: `the processes in ${folder} to end`, timeoutMs: 10_000, intervalMs: 100 },
      ),
  };
}
