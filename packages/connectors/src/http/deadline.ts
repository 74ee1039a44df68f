import { SourceError } from '#source-error';

/** A signal that aborts with the caller's signal, or when one step takes too long. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the timeout of the next step. */
  arm(): void;
  /** Stops the timeout between two steps. */
  disarm(): void;
  /** Removes the listener from the caller's signal and the timer. */
  end(): void;
}

/** Creates an armed deadline of `timeoutMs` per step. A timeout aborts with a `transient` error. */
export function createDeadline(caller: AbortSignal, timeoutMs: number, platform: string): Deadline {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abort = () => controller.abort(caller.reason);
  const disarm = () => clearTimeout(timer);
  const arm = () => {
    disarm();
    timer = setTimeout(() => {
      const seconds = Math.max(1, Math.round(timeoutMs / 1000));
      controller.abort(new SourceError('transient', `${platform} did not respond within ${seconds} s.`));
    }, timeoutMs);
  };
  if (caller.aborted) abort();
  else caller.addEventListener('abort', abort, { once: true });
  arm();
  return {
    signal: controller.signal,
    arm,
    disarm,
    end: () => {
      disarm();
      caller.removeEventListener('abort', abort);
    },
  };
}
