import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EngineError } from '#process/engine-error';

const run = promisify(execFile);

/** A version of nats-server, for example 2.11.8, without a suffix. */
export type NatsVersion = { readonly major: number; readonly minor: number; readonly patch: number };

/** Lectern needs the consumers and the key-value store of 2.9. */
const MIN_VERSION = { major: 2, minor: 9 };

/** Reads the version of the program (`nats-server: v2.9.10`). Throws an `EngineError` if it cannot run. */
export async function natsVersion(binary: string): Promise<NatsVersion> {
  const output = await run(binary, ['--version'], { timeout: 5_000 }).catch((cause: unknown) => {
    throw new EngineError(`${binary} cannot run`, { cause });
  });
  const match = /v?(\d+)\.(\d+)\.(\d+)/.exec(output.stdout);
  if (!match) throw new EngineError(`${binary} did not print its version: ${output.stdout.trim()}`);
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** Returns true if the version is at least `minimum`. */
export function isAtLeast(version: NatsVersion, minimum: { readonly major: number; readonly minor: number }): boolean {
  return version.major > minimum.major || (version.major === minimum.major && version.minor >= minimum.minor);
}

/** Returns true if the program runs and is recent enough. */
export async function isUsable(binary: string): Promise<boolean> {
  try {
    return isAtLeast(await natsVersion(binary), MIN_VERSION);
  } catch {
    return false;
  }
}
