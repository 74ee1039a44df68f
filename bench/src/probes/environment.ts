import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const GIT_TIMEOUT_MS = 10_000;
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** What the figures depend on besides the code. */
export interface Environment {
  readonly takenAt: Date;
  /** Undefined outside a checkout. */
  readonly commit: string | undefined;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** Processes that wanted a core, over the last minute before the run; 0 where the system does not tell. */
  readonly loadBefore: number;
}

/** Looks at the machine. */
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

/** With `+changes` where files differ from it. */
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
