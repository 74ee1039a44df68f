import { EngineError } from '#process/engine-error';
import { describeExit, type ProcessOptions } from '#process/managed-process';
import { startProcess } from '#process/start-process';

/** Options of a command. */
export type RunOptions = Pick<ProcessOptions, 'cwd' | 'env' | 'uid' | 'gid' | 'signal'> & {
  readonly timeoutMs: number;
};

/**
 * Runs a command and waits until it ends. Throws an `EngineError` with its last lines if it fails, is not
 * found, or exceeds its timeout, which kills its process group.
 */
export async function runToEnd(command: string, args: readonly string[], options: RunOptions): Promise<void> {
  const { timeoutMs, signal, ...rest } = options;
  const child = await startProcess({ name: command, command, args, stopTimeoutMs: 2_000, signal, ...rest });
  const stop = () => void child.stop();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  const exit = await child.exited;
  clearTimeout(timer);
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (exit.code === 0) return;
  const log = child.lastLines();
  const why = exit.expected ? `took longer than ${timeoutMs / 1000} s` : `failed (${describeExit(exit)})`;
  throw new EngineError([`${command} ${why}`, ...log].join('\n'), { log });
}
