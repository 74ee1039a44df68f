import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EngineError } from '#process/engine-error';

const run = promisify(execFile);

/** A nats-server version, such as 2.11.8; what follows the patch number is left out. */
export type NatsVersion = { readonly major: number; readonly minor: number; readonly patch: number };

/** Consumers and KV as Lectern uses them came with 2.9. */
const OLDEST = { major: 2, minor: 9 };

/** Asks the program for its version (`nats-server: v2.9.10`). Throws an `EngineError` when it cannot be run. */
export async function natsVersion(binary: string): Promise<NatsVersion> {
  const output = await run(binary, ['--version'], { timeout: 5_000 }).catch((cause: unknown) => {
    throw new EngineError(`${binary} could not be run`, { cause });
  });
  const match = /v?(\d+)\.(\d+)\.(\d+)/.exec(output.stdout);
  if (!match) throw new EngineError(`${binary} did not tell its version: ${output.stdout.trim()}`);
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** True from major.minor on. */
export function isAtLeast(version: NatsVersion, wanted: { readonly major: number; readonly minor: number }): boolean {
  return version.major > wanted.major || (version.major === wanted.major && version.minor >= wanted.minor);
}

/** True when the program runs and is new enough for Lectern. */
export async function isUsable(binary: string): Promise<boolean> {
  try {
    return isAtLeast(await natsVersion(binary), OLDEST);
  } catch {
    return false;
  }
}
