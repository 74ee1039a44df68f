import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { OAuthState } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { hashState } from './oauth-state.ts';

const sealedSchema = z.object({ verifier: z.string() });

export interface TakenState extends Pick<OAuthState, 'connectorId' | 'callbackUrl' | 'redirectUri'> {
  readonly verifier: string;
}

/**
 * Uses up a state: of two callbacks with the same one, one gets it. Throws `invalid_request` for one that is unknown, used, expired, or of
 * another team or provider; those are not told apart, and stay as they are.
 */
export async function takeState(
  ctx: Context,
  { state, teamId, provider }: { readonly state: string; readonly teamId: string; readonly provider: string },
): Promise<TakenState> {
  const stateHash = hashState(state);
  const where = { stateHash, teamId, provider, expiresAt: { gt: new Date() } };
  const found = await ctx.db.oAuthState.findFirst({ where });
  const { count } = found === null ? { count: 0 } : await ctx.db.oAuthState.deleteMany({ where });
  if (found === null || count === 0) {
    throw invalidRequest([{ path: 'state', message: 'is unknown, used or expired; begin the authorisation again' }]);
  }
  const { verifier } = sealedSchema.parse(ctx.secrets.openFor(stateHash, teamId, found));
  const { connectorId, callbackUrl, redirectUri } = found;
  return { connectorId, callbackUrl, redirectUri, verifier };
}

/** Removes the states that nobody came back with. */
export async function removeExpiredStates(ctx: Pick<Context, 'db'>): Promise<void> {
  await ctx.db.oAuthState.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
