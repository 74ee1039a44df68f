import { setTimeout as delay } from 'node:timers/promises';
import { KINDS, type Kind, type Place, perform } from './requests.ts';

const PAUSE_MS = 100;
/** Given up after this; what a test demands is less. */
const GIVE_UP_MS = 60_000;
/** There is one active job a connector: a sync that finds another at work has been understood. */
const WORKS: Readonly<Record<string, readonly string[]>> = { sync: ['ok', 'conflict'], upload: ['ok', 'conflict'] };

/** Milliseconds until a request of every kind has succeeded. */
export async function untilAllWork(place: Place, tag: string, kinds: readonly Kind[] = KINDS): Promise<number> {
  const started = performance.now();
  await Promise.all(kinds.map((kind) => untilWorks(kind, place, tag, started)));
  return performance.now() - started;
}

async function untilWorks(kind: Kind, place: Place, tag: string, started: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { result } = await perform(kind, place, `${tag}-${attempt}`);
    if ((WORKS[kind.name] ?? ['ok']).includes(result)) return;
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`${kind.name} does not work again: ${result}`);
    await delay(PAUSE_MS);
  }
}
