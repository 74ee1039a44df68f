import { type WaitOptions, waitUntil as waitExactly } from '@lectern/local-engines';
import { patience } from './time-limit.ts';

/** Like `waitUntil` in local-engines, but `timeoutMs` is the usual time, and `patience` extends it. */
export function waitUntil(condition: () => boolean | Promise<boolean>, options: WaitOptions): Promise<void> {
  return waitExactly(condition, { ...options, timeoutMs: patience(options.timeoutMs) });
}
