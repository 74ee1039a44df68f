import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const GIT_TIMEOUT_MS = 10_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The environment that the results depend on. */
export interface Environment {
  readonly takenAt: Date;
  /** Undefined outside a checkout. */
  readonly commit: string | undefined;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** The load average of the last minute before the run; 0 if unavailable. */
  readonly loadBefore: number;
}

/** Reads the environment. */
export async function describeEnvironment(): Promise<Environment> {
  return {
    takenAt: new Date(),
    commit: await readCommit(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** The commit, with `+changes` if files differ from it. */
async function readCommit(): Promise<string | undefined> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: HERE, timeout: GIT_TIMEOUT_MS })).stdout.trim();
  try {
    const commit = await git('rev-parse', '--short', 'HEAD');
    const changes = await git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=no');
    return changes === '' ? commit : `${commit}+changes`;
  } catch {
    return undefined;
  }
}
