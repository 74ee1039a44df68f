import { type WaitOptions, waitUntil as waitExactly } from '@lectern/local-engines';
import { waitLimit } from '#time-limit';

/** Like `waitUntil` in local-engines, but `timeoutMs` is the usual time, and `waitLimit` extends it. */
export function waitUntil(
  condition: () => boolean | Promise<boolean>,
  options: WaitOptions & { readonly timeoutMs: number },
): Promise<void> {
  return waitExactly(condition, { ...options, timeoutMs: waitLimit(options.timeoutMs) });
}
