import { invalidRequest } from '@lectern/service-kit';
import type { OAuthState } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { hashState } from './oauth-state.ts';

/** The state parameter as sent to the callback. */
export interface NamedState {
  readonly state: string;
  readonly teamId: string;
  readonly provider: string;
}

export const whereState = ({ state, teamId, provider }: NamedState) => ({
  stateHash: hashState(state),
  teamId,
  provider,
  expiresAt: { gt: new Date() },
});

export const unknownState = () =>
  invalidRequest([{ path: 'state', message: 'is unknown, used or expired; start the authorisation again' }]);

/**
 * Finds an unused state. Throws `invalid_request` if it is unknown, used, expired, or belongs to
 * another team or provider.
 */
export async function findState({ db }: Pick<Context, 'db'>, named: NamedState): Promise<OAuthState> {
  const found = await db.oAuthState.findFirst({ where: whereState(named) });
  if (found === null) throw unknownState();
  return found;
}
