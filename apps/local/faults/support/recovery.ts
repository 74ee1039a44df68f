import { setTimeout as delay } from 'node:timers/promises';
import { KINDS, type Kind, perform, type Resources } from './requests.ts';

const PAUSE_MS = 100;
/** The timeout of a recovery. Tests require less. */
const RECOVERY_TIMEOUT_MS = 60_000;
/** A connector has one active job: a conflict is a valid response to a sync. */
const SUCCESSES: Readonly<Record<string, readonly string[]>> = { sync: ['ok', 'conflict'], upload: ['ok', 'conflict'] };

/** The time until everything works again. */
export interface Recovery {
  /** Milliseconds until a request of every kind has succeeded. */
  readonly recoveredMs: number;
  /** The kind that recovered last. */
  readonly last: string;
}

/** Sends requests of every kind until each has succeeded once. */
export async function untilAllWork(resources: Resources, tag: string): Promise<Recovery> {
  const started = performance.now();
  let last = '';
  const watch = async (kind: Kind) => {
    await untilWorks(kind, resources, tag, started);
    last = kind.name;
  };
  await Promise.all(KINDS.map(watch));
  return { recoveredMs: Math.round(performance.now() - started), last };
}

async function untilWorks(kind: Kind, resources: Resources, tag: string, started: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { result } = await perform(kind, resources, `${tag}-${attempt}`);
    if ((SUCCESSES[kind.name] ?? ['ok']).includes(result)) return;
    if (performance.now() - started > RECOVERY_TIMEOUT_MS) throw new Error(`${kind.name} has not recovered: ${result}`);
    await delay(PAUSE_MS);
  }
}
