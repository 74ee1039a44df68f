import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '#corpus/random';
import type { Lectern } from '#system/lectern';

const VICTIMS = ['connector', 'collection', 'nats-server'] as const;

export interface Killing {
  /** Seconds between two kills; 0 for none. */
  readonly killEvery: number;
  /** Seconds after which JetStream's store is lost, once; 0 for never. */
  readonly wipeAfter: number;
  readonly seed: number;
}

async function kill(lectern: Lectern, part: string): Promise<void> {
  const pid = (await lectern.readPids())[part];
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is being restarted.
  }
}

/**
 * Kills parts of a running Lectern until the signal is aborted. Returns the killed parts in order.
 */
export async function killParts(
  lectern: Lectern,
  home: string,
  { killEvery, wipeAfter, seed }: Killing,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const killed: string[] = [];
  const random = createRandom(seed);
  const kills = async () => {
    while (killEvery > 0 && !signal.aborted) {
      await delay(killEvery * 1_000, undefined, { signal });
      const part = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? VICTIMS[0];
      await kill(lectern, part);
      killed.push(part);
      print(`killed ${part}`);
    }
  };
  const wipe = async () => {
    if (wipeAfter === 0) return;
    await delay(wipeAfter * 1_000, undefined, { signal });
    await rm(join(home, 'nats'), { recursive: true, force: true });
    await kill(lectern, 'nats-server');
    killed.push('nats-server and its store');
    print('deleted the data of nats-server');
  };
  await Promise.all([kills(), wipe()]).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return killed;
}
