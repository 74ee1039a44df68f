import type { Running } from '@lectern/service-kit';
import { repeat } from '@lectern/service-kit';
import { removeExpiredStates } from '../oauth/take-state.ts';
import { type RewrapDependencies, rewrapSecrets } from './rewrap-secrets.ts';

const INTERVAL_MS = 60_000;

/** Looks after what is sealed, now and then: older master keys give way to the current one, forgotten authorisations go. */
export function keepSecrets(ctx: RewrapDependencies): Running {
  return repeat({ name: 'secrets', intervalMs: INTERVAL_MS, log: ctx.log }, async (signal) => {
    await rewrapSecrets(ctx, signal);
    await removeExpiredStates(ctx);
  });
}
