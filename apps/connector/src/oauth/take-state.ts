import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { OAuthState } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { findState, type NamedState, unknownState, whereState } from './find-state.ts';
import { hashState } from './oauth-state.ts';

const sealedSchema = z.object({ verifier: z.string() });

export interface TakenState extends Pick<OAuthState, 'connectorId' | 'callbackUrl' | 'redirectUri'> {
  readonly verifier: string;
}

/**
 * Uses up a state: of two callbacks with the same one, one gets it. Throws `invalid_request` for one that is unknown, used, expired, or of
 * another team or provider (those are not told apart), and for one that another browser began. Those stay as they are.
 */
export async function takeState(
  ctx: Context,
  named: NamedState,
  browserSecret: string | undefined,
): Promise<TakenState> {
  const found = await findState(ctx, named);
  const { stateHash, browserHash } = found;
  if (browserHash !== null && (browserSecret === undefined || hashState(browserSecret) !== browserHash)) {
    throw invalidRequest([
      {
        path: 'state',
        message: 'belongs to an authorisation that another browser started; start it again in this browser',
      },
    ]);
  }
  const { count } = await ctx.db.oAuthState.deleteMany({ where: whereState(named) });
  if (count === 0) throw unknownState();
  const { verifier } = sealedSchema.parse(ctx.secrets.openFor(stateHash, named.teamId, found));
  const { connectorId, callbackUrl, redirectUri } = found;
  return { connectorId, callbackUrl, redirectUri, verifier };
}

/** Removes the states that nobody came back with. */
export async function removeExpiredStates(ctx: Pick<Context, 'db'>): Promise<void> {
  await ctx.db.oAuthState.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
