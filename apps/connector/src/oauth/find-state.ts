import { invalidRequest } from '@lectern/service-kit';
import type { OAuthState } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { hashState } from './oauth-state.ts';

/** A state as the callback names it. */
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
  invalidRequest([{ path: 'state', message: 'is unknown, used or expired; begin the authorisation again' }]);

/** A state that is still to be used. Throws `invalid_request` for one that is unknown, used, expired, or of another team or provider. */
export async function findState({ db }: Pick<Context, 'db'>, named: NamedState): Promise<OAuthState> {
  const found = await db.oAuthState.findFirst({ where: whereState(named) });
  if (found === null) throw unknownState();
  return found;
}
