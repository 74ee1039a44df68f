import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { fetchDebianPackage } from '#nats/debian-package';
import { downloadRelease } from '#nats/download-release';
import { PINNED_RELEASE, RELEASES_URL } from '#nats/release';
import { isUsable } from '#nats/version';
import { EngineError } from '#process/engine-error';
import { messageOf } from '#process/thrown';

/** Where a fetched nats-server is kept. */
export type EnsureNatsServerOptions = {
  readonly cacheDir: string;
  readonly signal?: AbortSignal | undefined;
  /** Looked up for PATH and LECTERN_NATS_DOWNLOAD_URL; default the launcher's own. */
  readonly env?: NodeJS.ProcessEnv;
};

const PROGRAM = 'nats-server';
/** A first start must be ready within a minute, with or without a way to the release. */
const DOWNLOAD = { stallTimeoutMs: 4_000, totalTimeoutMs: 20_000 };
const APT_TIMEOUT_MS = 20_000;
const STALE_DRAFT_MS = 60 * 60 * 1000;

/**
 * Finds or fetches a nats-server of version 2.9 or later and returns its path: on the PATH, in `cacheDir`, from the
 * official release (or a mirror of it at LECTERN_NATS_DOWNLOAD_URL), or from Debian's archive. Several processes may call
 * it at once. Throws an `EngineError` that says what was tried and what a person can do.
 */
export async function ensureNatsServer(options: EnsureNatsServerOptions): Promise<string> {
  const env = options.env ?? process.env;
  const cacheDir = resolve(options.cacheDir);
  const kept = join(cacheDir, PROGRAM);
  for (const candidate of [...onPath(env.PATH), kept]) {
    if ((await isExecutable(candidate)) && (await isUsable(candidate))) return candidate;
  }
  await mkdir(cacheDir, { recursive: true });
  await removeStaleDrafts(cacheDir);
  const { signal } = options;
  const baseUrl = env.LECTERN_NATS_DOWNLOAD_URL || RELEASES_URL;
  const ways = [
    (folder: string) => downloadRelease({ release: PINNED_RELEASE, baseUrl, folder, signal, ...DOWNLOAD }),
    (folder: string) => fetchDebianPackage({ folder, timeoutMs: APT_TIMEOUT_MS, signal }),
  ];
  const failures: string[] = [];
  for (const fetchInto of ways) {
    try {
      return await keep(cacheDir, kept, fetchInto);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`- ${messageOf(error)}`);
    }
  }
  throw new EngineError(
    `nats-server is not installed and could not be fetched:\n${failures.join('\n')}\nInstall nats-server 2.9 or later so that it is on the PATH (https://docs.nats.io, or your system's packages), put the program at ${kept}, or set NATS_URL to a server of your own that has JetStream.`,
  );
}

/** Fetches into a folder of its own and moves the program to its place in one step, so that nobody ever sees half of it. */
async function keep(cacheDir: string, kept: string, fetchInto: (folder: string) => Promise<string>): Promise<string> {
  const draft = await mkdtemp(join(cacheDir, 'fetching-'));
  try {
    const program = await fetchInto(draft);
    await chmod(program, 0o755);
    if (!(await isUsable(program)))
      throw new EngineError(`the nats-server that was fetched does not run on this machine`);
    await rename(program, kept);
    return kept;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A launcher that was killed in the middle leaves its folder behind. */
async function removeStaleDrafts(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith('fetching-')) continue;
    const draft = join(cacheDir, name);
    const found = await stat(draft).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > STALE_DRAFT_MS) await rm(draft, { recursive: true, force: true });
  }
}

function onPath(path: string | undefined): string[] {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, PROGRAM));
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
