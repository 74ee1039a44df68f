import { waitUntil } from '@lectern/local-engines';
import { connectGrpc, type InternalKeys } from '@lectern/service-kit';

const PAUSE_MS = 50;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Waits until a gRPC service is healthy or the signal aborts. Signs the health calls with the given
 * keys, by default those of this process.
 */
export async function untilHealthy(address: string, signal: AbortSignal, keys?: InternalKeys): Promise<void> {
  await waitUntil(() => isHealthy(address, keys), { what: address, intervalMs: PAUSE_MS, signal });
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
