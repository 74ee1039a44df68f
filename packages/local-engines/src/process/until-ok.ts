import { waitUntil } from '#process/wait-until';

const REQUEST_TIMEOUT_MS = 5_000;
/** A failed request takes CPU time that a process needs for its start. */
const PAUSE_MS = 50;

/** Waits until GET returns 200 or the signal aborts. */
export async function untilOk(url: string, signal: AbortSignal): Promise<void> {
  const isOk = async () => {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200;
  };
  await waitUntil(isOk, { what: url, intervalMs: PAUSE_MS, signal });
}
