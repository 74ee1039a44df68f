import { retry } from '@lectern/resilience';
import type { Logger } from '@lectern/service-kit';

const RETRY = { attempts: 5, minDelayMs: 200, maxDelayMs: 3_000 };

/**
 * Stores credentials that a provider has issued in place of others, which can be invalid from then on. Logs each
 * attempt that fails; after the last one, they are lost.
 */
export async function storeReplacement(log: Logger, connectorId: string, store: () => Promise<unknown>): Promise<void> {
  const warn = (err: unknown) => log.warn({ err, connectorId }, 'could not store replaced credentials');
  const onRetry = ({ error }: { readonly error: unknown }) => warn(error);
  await retry(store, { ...RETRY, shouldRetry: () => true, onRetry }).catch(warn);
}
