import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@lectern/local-engines';
import type { Lectern } from '#system/lectern';

const TIMEOUT_MS = 60_000;
const PROFILER = new URL('./profiler.ts', import.meta.url);

/** Returns the settings for processes that can write CPU profiles to a folder. */
export function profilerSettings(folder: string | undefined): Record<string, string> {
  return folder === undefined ? {} : { NODE_OPTIONS: `--import=${PROFILER.href}?dir=${encodeURIComponent(folder)}` };
}

/** Writes CPU profiles of parts during some work: `<part>.cpuprofile` for Chrome's developer tools. */
export async function writeCpuProfiles<T>(
  { pids }: Lectern,
  names: readonly string[],
  folder: string,
  work: () => Promise<T>,
): Promise<T> {
  const parts = names.filter((name) => pids[name] !== undefined);
  // The files of an earlier run would look like those of this one.
  await Promise.all(parts.map((name) => rm(join(folder, `${name}.cpuprofile`), { force: true })));
  const signalAll = (): void => parts.forEach((name) => void process.kill(pids[name] ?? 0, 'SIGUSR2'));
  signalAll();
  const result = await work();
  signalAll();
  const isWritten = async (): Promise<boolean> => parts.every((name) => existsSync(join(folder, `${name}.cpuprofile`)));
  await waitUntil(isWritten, { what: `CPU profiles in ${folder}`, timeoutMs: TIMEOUT_MS });
  return result;
}
