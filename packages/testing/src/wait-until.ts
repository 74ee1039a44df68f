import { type WaitOptions, waitUntil as waitExactly } from '@lectern/local-engines';
import { timeLimit } from './time-limit.ts';

/** As `waitUntil` of local-engines, with `timeoutMs` as the promised limit that `timeLimit` takes it for. */
export function waitUntil(condition: () => boolean | Promise<boolean>, options: WaitOptions): Promise<void> {
  return waitExactly(condition, { ...options, timeoutMs: timeLimit(options.timeoutMs) });
}
