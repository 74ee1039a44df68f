import { SourceError } from '../source-error.ts';

/** A signal that ends with the caller's, or when one step takes too long. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Gives the next step its time. */
  arm(): void;
  /** Between two steps: what the caller does meanwhile does not count. */
  disarm(): void;
  /** Lets go of the caller's signal and the timer. */
  end(): void;
}

/** A deadline of `timeoutMs` for each step; running into it aborts with `transient`. It is armed from the beginning. */
export function createDeadline(caller: AbortSignal, timeoutMs: number, platform: string): Deadline {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const leave = () => controller.abort(caller.reason);
  const disarm = () => clearTimeout(timer);
  const arm = () => {
    disarm();
    timer = setTimeout(() => {
      const seconds = Math.max(1, Math.round(timeoutMs / 1000));
      controller.abort(new SourceError('transient', `${platform} did not answer within ${seconds} s.`));
    }, timeoutMs);
  };
  if (caller.aborted) leave();
  else caller.addEventListener('abort', leave, { once: true });
  arm();
  return {
    signal: controller.signal,
    arm,
    disarm,
    end: () => {
      disarm();
      caller.removeEventListener('abort', leave);
    },
  };
}
