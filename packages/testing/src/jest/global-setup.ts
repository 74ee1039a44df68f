import { startTestEngines } from '#run/test-engines';

let stop: (() => Promise<void>) | undefined;

/** Jest's globalSetup: starts the engines, or uses those of an outer run (run/with-engines.ts). */
export default async function globalSetup(): Promise<void> {
  stop = await startTestEngines();
}

/** Stops what `globalSetup` started. */
export async function stopEngines(): Promise<void> {
  await stop?.();
}
