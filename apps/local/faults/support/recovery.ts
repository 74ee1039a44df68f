import { setTimeout as delay } from 'node:timers/promises';
import { KINDS, type Kind, type Place, perform } from './requests.ts';

const PAUSE_MS = 100;
/** Given up after this; what a test demands is less. */
const GIVE_UP_MS = 60_000;
/** There is one active job a connector: a sync that finds another at work has been understood. */
const WORKS: Readonly<Record<string, readonly string[]>> = { sync: ['ok', 'conflict'], upload: ['ok', 'conflict'] };

/** How long it took until everything worked again. */
export interface Recovery {
  /** Milliseconds until a request of every kind had succeeded. */
  readonly recoveredMs: number;
  /** The kind that was last. */
  readonly last: string;
}

/** Makes requests of every kind until one of each has succeeded. */
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
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`${kind.name} does not work again: ${result}`);
    await delay(PAUSE_MS);
  }
}
