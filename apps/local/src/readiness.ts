import { waitUntil } from '@lectern/local-engines';
import { connectGrpc, type InternalKeys } from '@lectern/service-kit';
import { isListening } from '#is-listening';

const PAUSE_MS = 50;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Waits until a gRPC service at `host:port` is healthy or the signal aborts. Signs the health calls with the given
 * keys, by default those of this process.
 */
export async function untilHealthy(address: string, signal: AbortSignal, keys?: InternalKeys): Promise<void> {
  await waitUntil(() => isHealthy(address, keys), { what: address, intervalMs: PAUSE_MS, signal });
}

/**
 * Uses a new connection each time, because a gRPC connection backs off longer after each failure. Opens
 * none before the port accepts connections, because a failed one takes CPU time from the start.
 */
async function isHealthy(address: string, keys: InternalKeys | undefined): Promise<boolean> {
  const portAt = address.lastIndexOf(':');
  const host = address.slice(0, portAt).replace(/^\[|\]$/g, '');
  if (!(await isListening(host, Number(address.slice(portAt + 1)), REQUEST_TIMEOUT_MS))) return false;
  const connection = connectGrpc(address, keys);
  try {
    return await connection.healthy(REQUEST_TIMEOUT_MS);
  } finally {
    connection.close();
  }
}
