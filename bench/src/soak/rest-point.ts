import { setTimeout as delay } from 'node:timers/promises';
import { measureLiveHeap } from '#probes/live-heap';
import { measureMemory } from '#probes/memory';
import type { Lectern } from '#system/lectern';

/** Lectern's services, one Node process each. The other parts are engines. */
const SERVICES = ['gateway', 'search', 'chat', 'agent', 'collection', 'connector'] as const;
/** Time for background work after the last response to finish. */
const QUIET_MS = 3_000;

/** The memory of each part without load, in bytes. */
export interface RestPoint {
  /** `performance.now()`. */
  readonly at: number;
  /** The process id of each part. */
  readonly pids: Readonly<Record<string, number>>;
  /**
   * Each part with its child processes, before garbage collection. Proportional set size where
   * available.
   */
  readonly resident: Readonly<Record<string, number>>;
  /** Each service, after a forced garbage collection. */
  readonly live: Readonly<Record<string, number>>;
}

/** Waits briefly, then measures. */
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

/**
 * Returns the parts whose process was restarted since the previous rest point. Their slope is
 * meaningless.
 */
export function restartedParts(rests: readonly RestPoint[]): readonly string[] {
  const pairs = rests.slice(1).map((rest, at) => [rests[at], rest] as const);
  const names = pairs.flatMap(([before, rest]) =>
    Object.keys(rest.pids).filter((name) => before?.pids[name] !== rest.pids[name]),
  );
  return [...new Set(names)];
}
