import { setTimeout as delay } from 'node:timers/promises';
import { measureLiveHeap } from '#probes/live-heap';
import { measureMemory } from '#probes/memory';
import type { Lectern } from '#system/lectern';

/** Our services, each one Node process; the rest are engines. */
const SERVICES = ['gateway', 'search', 'chat', 'agent', 'collection', 'connector'] as const;
/** What goes on behind the last answer (rows that are closed, vectors that are written) comes to its end. */
const QUIET_MS = 3_000;

/** Memory of each part while nothing is asked, in bytes. */
export interface RestPoint {
  /** `performance.now()`. */
  readonly at: number;
  /** The process of each part. */
  readonly pids: Readonly<Record<string, number>>;
  /** Of each part with the processes it started, before anything is collected: where it is told each one's share of what they share. */
  readonly resident: Readonly<Record<string, number>>;
  /** Of each service, after a forced collection. */
  readonly live: Readonly<Record<string, number>>;
}

/** Waits a little and measures. */
export async function measureAtRest(lectern: Lectern, signal: AbortSignal): Promise<RestPoint> {
  await delay(QUIET_MS, undefined, { signal });
  const pids = await lectern.readPids();
  const at = performance.now();
  const memory = await measureMemory(pids);
  const live: Record<string, number> = {};
  for (const name of SERVICES) live[name] = await measureLiveHeap(pids[name] ?? 0, signal);
  const resident = Object.entries(memory).map(([name, use]) => [name, use.pssBytes ?? use.rssBytes] as const);
  return { at, pids, resident: Object.fromEntries(resident), live };
}

/** The parts whose process is not the one of the rest point before: their memory says nothing about a slope. */
export function startedAnew(rests: readonly RestPoint[]): readonly string[] {
  const pairs = rests.slice(1).map((rest, at) => [rests[at], rest] as const);
  const names = pairs.flatMap(([before, rest]) =>
    Object.keys(rest.pids).filter((name) => before?.pids[name] !== rest.pids[name]),
  );
  return [...new Set(names)];
}
