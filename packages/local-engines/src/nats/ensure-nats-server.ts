import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { fetchDebianPackage } from '#nats/debian-package';
import { downloadRelease } from '#nats/download-release';
import { PINNED_RELEASE, RELEASES_URL } from '#nats/release';
import { isUsable } from '#nats/version';
import { EngineError } from '#process/engine-error';
import { messageOf } from '#process/thrown';

/** Where to look for nats-server, and where to store it. */
export type EnsureNatsServerOptions = {
  readonly cacheDir: string;
  readonly signal?: AbortSignal | undefined;
  /** The environment with PATH and LECTERN_NATS_DOWNLOAD_URL. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
};

const PROGRAM = 'nats-server';
/** Short, because a first start must be ready within a minute, even if the download fails. */
const DOWNLOAD = { stallTimeoutMs: 4_000, totalTimeoutMs: 20_000 };
const APT_TIMEOUT_MS = 20_000;
const STALE_DRAFT_MS = 60 * 60 * 1000;

/**
 * Returns the path of nats-server 2.9 or later: on the PATH, in `cacheDir`, downloaded from the official
 * release (or a mirror at LECTERN_NATS_DOWNLOAD_URL), or from Debian's archive. Safe to call from several
 * processes. Throws an `EngineError` with all attempts and instructions.
 */
export async function ensureNatsServer(options: EnsureNatsServerOptions): Promise<string> {
  const env = options.env ?? process.env;
  const cacheDir = resolve(options.cacheDir);
  const cached = join(cacheDir, PROGRAM);
  for (const candidate of [...onPath(env.PATH), cached]) {
    if ((await isExecutable(candidate)) && (await isUsable(candidate))) return candidate;
  }
  await mkdir(cacheDir, { recursive: true });
  await removeStaleDrafts(cacheDir);
  const { signal } = options;
  const baseUrl = env.LECTERN_NATS_DOWNLOAD_URL || RELEASES_URL;
  const sources = [
    (folder: string) => downloadRelease({ release: PINNED_RELEASE, baseUrl, folder, signal, ...DOWNLOAD }),
    (folder: string) => fetchDebianPackage({ folder, timeoutMs: APT_TIMEOUT_MS, signal }),
  ];
  const failures: string[] = [];
  for (const fetchInto of sources) {
    try {
      return await install(cacheDir, cached, fetchInto);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`- ${messageOf(error)}`);
    }
  }
  throw new EngineError(
    `nats-server is not installed and could not be downloaded:\n${failures.join('\n')}\nInstall nats-server 2.9 or later on the PATH (https://docs.nats.io, or your system's packages), copy the program to ${cached}, or set NATS_URL to a server with JetStream.`,
  );
}

/** Downloads into a draft folder and moves the program into place atomically. */
async function install(
  cacheDir: string,
  target: string,
  fetchInto: (folder: string) => Promise<string>,
): Promise<string> {
  const draft = await mkdtemp(join(cacheDir, 'fetching-'));
  try {
    const program = await fetchInto(draft);
    await chmod(program, 0o755);
    if (!(await isUsable(program))) throw new EngineError(`the downloaded nats-server does not run on this machine`);
    await rename(program, target);
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes the draft folders of killed processes. */
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
