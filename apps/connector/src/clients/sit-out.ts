import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@lectern/service-kit';

/** Longer than a restart takes. */
const FOR_MS = 15_000;
const EVERY_MS = 300;

/** A service that goes down cancels the calls it has. */
const isAway = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'unavailable' || error.code === 'cancelled');

/**
 * Makes a call again for a few seconds while the service behind it is away: what was fetched and parsed for it need not be done anew after a
 * restart, and nothing more is begun meanwhile. Throws what the last try did.
 */
export async function sitOut<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const deadline = Date.now() + FOR_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isAway(error) || signal.aborted || Date.now() >= deadline) throw error;
    }
    await delay(EVERY_MS, undefined, { signal });
  }
}
