import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '#process/engine-error';
import { describeExit, type ProcessExit, type ProcessOptions } from '#process/managed-process';
import type { ProcessLog } from '#process/process-log';

/**
 * Waits until the process is ready. Throws an `EngineError` with the last lines of its output if it ends
 * or times out, and the signal's reason if the start is aborted.
 */
export async function becomeReady(
  options: ProcessOptions,
  log: ProcessLog,
  exited: Promise<ProcessExit>,
): Promise<void> {
  const { name, readiness } = options;
  if (readiness === undefined) return;
  const timeoutMs = options.readinessTimeoutMs ?? 30_000;
  const settled = new AbortController();
  const signal = options.signal ? AbortSignal.any([settled.signal, options.signal]) : settled.signal;
  const ready = readiness instanceof RegExp ? log.lineMatching(readiness) : readiness(signal);
  const failures = [
    exited.then((exit) => {
      throw failure(`${name} ended before it was ready (${describeExit(exit)})`, log);
    }),
    delay(timeoutMs, undefined, { signal }).then(() => {
      throw failure(`${name} was not ready after ${timeoutMs / 1000} s`, log);
    }),
  ];
  try {
    await Promise.race([ready, ...failures]);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    settled.abort();
    for (const promise of [ready, ...failures]) promise.catch(() => undefined);
  }
}

function failure(message: string, log: ProcessLog): EngineError {
  const lines = log.lastLines();
  return new EngineError(lines.length === 0 ? message : `${message}. Its last lines:\n${lines.join('\n')}`, {
    log: lines,
  });
}
