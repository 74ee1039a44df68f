import { setTimeout as delay } from 'node:timers/promises';
import { KINDS, type Kind, type Place, perform } from './requests.ts';

const PAUSE_MS = 100;
/** The timeout of the recovery; tests require less. */
const GIVE_UP_MS = 60_000;
/** A connector has one active job: a conflict is a valid response to a sync. */
const WORKS: Readonly<Record<string, readonly string[]>> = { sync: ['ok', 'conflict'], upload: ['ok', 'conflict'] };

/** The time until everything works again. */
export interface Recovery {
  /** Milliseconds until a request of every kind has succeeded. */
  readonly recoveredMs: number;
  /** The kind that recovered last. */
  readonly last: string;
}

/** Sends requests of every kind until each has succeeded once. */
export async function untilAllWork(place: Place, tag: string): Promise<Recovery> {
  const started = performance.now();
  let last = '';
  const watch = async (kind: Kind) => {
    await untilWorks(kind, place, tag, started);
    last = kind.name;
  };
  await Promise.all(KINDS.map(watch));
  return { recoveredMs: Math.round(performance.now() - started), last };
}

async function untilWorks(kind: Kind, place: Place, tag: string, started: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { result } = await perform(kind, place, `${tag}-${attempt}`);
    if ((WORKS[kind.name] ?? ['ok']).includes(result)) return;
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`${kind.name} has not recovered: ${result}`);
    await delay(PAUSE_MS);
  }
}
