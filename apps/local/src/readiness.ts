import { setTimeout as delay } from 'node:timers/promises';
import { connectGrpc, type InternalKeys } from '@lectern/service-kit';

const PAUSE_MS = 50;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Waits until a gRPC service is healthy or the signal aborts. Signs the health calls with the given
 * keys, by default those of this process.
 */
export async function untilHealthy(address: string, signal: AbortSignal, keys?: InternalKeys): Promise<void> {
  while (!(await isHealthy(address, keys))) await delay(PAUSE_MS, undefined, { signal });
}

/** Uses a new connection each time, because a gRPC connection backs off longer after each failure. */
async function isHealthy(address: string, keys: InternalKeys | undefined): Promise<boolean> {
  const connection = connectGrpc(address, keys);
  try {
    return await connection.healthy(REQUEST_TIMEOUT_MS);
  } finally {
    connection.close();
  }
}

/** Waits until GET returns 200 or the signal aborts. */
export async function untilOk(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await delay(PAUSE_MS, undefined, { signal });
  }
}
