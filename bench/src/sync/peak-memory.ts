import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lectern } from '#system/lectern';

const SAMPLE_MS = 1_000;

/**
 * The peak resident memory of each part's process in bytes, without child processes like parsers.
 * Linux only.
 */
export type PeakMemory = Readonly<Record<string, number>>;

async function readRss(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kibibytes ?? 0) * 1_024;
}

/** Samples until the signal is aborted. */
export async function watchPeakMemory(lectern: Lectern, signal: AbortSignal): Promise<PeakMemory> {
  const peaks: Record<string, number> = {};
  while (!signal.aborted) {
    const pids = await lectern.readPids().catch(() => lectern.pids);
    for (const [name, pid] of Object.entries(pids)) peaks[name] = Math.max(peaks[name] ?? 0, await readRss(pid));
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return peaks;
}
