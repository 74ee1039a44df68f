import { type Running, repeat } from '@lectern/service-kit';
import { type RewrapDependencies, rewrapSecrets } from '#credentials/rewrap-secrets';
import { removeExpiredStates } from '#oauth/state';

const INTERVAL_MS = 60_000;

/**
 * Moves secrets to the current master key and removes expired OAuth states, at regular intervals.
 */
export function maintainSecrets(ctx: RewrapDependencies): Running {
  return repeat({ name: 'secrets', intervalMs: INTERVAL_MS, log: ctx.log }, async (signal) => {
    await rewrapSecrets(ctx, signal);
    await removeExpiredStates(ctx);
  });
}
