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
  /** Of each part with the processes it started, before anything is collected: where it is told each one's share of what they share. */
  readonly resident: Readonly<Record<string, number>>;
  /** Of each service, after a forced collection. */
  readonly live: Readonly<Record<string, number>>;
}

/** Waits a little and measures. Throws where a part was started anew: its memory then says nothing about the one before. */
export async function measureAtRest(lectern: Lectern, signal: AbortSignal): Promise<RestPoint> {
  await delay(QUIET_MS, undefined, { signal });
  const pids = await lectern.readPids();
  const restarted = Object.entries(pids).filter(([name, pid]) => lectern.pids[name] !== pid);
  if (restarted.length > 0)
    throw new Error(`Started anew during the soak: ${restarted.map(([name]) => name).join(', ')}`);
  const at = performance.now();
  const memory = await measureMemory(pids);
  const live: Record<string, number> = {};
  for (const name of SERVICES) live[name] = await measureLiveHeap(pids[name] ?? 0, signal);
  const resident = Object.entries(memory).map(([name, use]) => [name, use.pssBytes ?? use.rssBytes] as const);
  return { at, resident: Object.fromEntries(resident), live };
}
