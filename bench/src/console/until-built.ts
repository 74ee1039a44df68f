import { setTimeout as delay } from 'node:timers/promises';
import type { Lectern } from '#system/lectern';

const BUILD_TIMEOUT_MS = 120_000;

/** Waits until the console is built. */
export async function untilBuilt({ baseUrl }: Pick<Lectern, 'baseUrl'>, signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(BUILD_TIMEOUT_MS)]);
  while ((await fetch(`${baseUrl}/console`, { signal: deadline })).status !== 200)
    await delay(200, undefined, { signal: deadline });
}
