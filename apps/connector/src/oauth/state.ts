import { createHash, randomBytes } from 'node:crypto';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { OAuthState } from '#gen/prisma/client';

const RANDOM_BYTES = 32;

/**
 * Creates a random state. It contains its team, because the callback that returns it has no key.
 */
export function createState(teamId: string): string {
  return `${teamId}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Only the hash of a state is stored. */
export function hashState(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

/** Creates a PKCE verifier (RFC 7636, 4.1). */
export function createVerifier(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Returns the S256 challenge of a verifier (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** The state parameter as sent to the callback. */
export interface NamedState {
  readonly state: string;
  readonly teamId: string;
  readonly provider: string;
}

const whereState = ({ state, teamId, provider }: NamedState) => ({
  stateHash: hashState(state),
  teamId,
  provider,
  expiresAt: { gt: new Date() },
});

const unknownState = () =>
  invalidRequest([{ path: 'state', message: 'is unknown, used or expired; start the authorization again' }]);

/**
 * Finds an unused state. Throws `invalid_request` if it is unknown, used, expired, or belongs to
 * another team or provider.
 */
export async function findState({ db }: Pick<Context, 'db'>, named: NamedState): Promise<OAuthState> {
  const found = await db.oAuthState.findFirst({ where: whereState(named) });
  if (found === null) throw unknownState();
  return found;
}

const sealedSchema = z.object({ verifier: z.string() });

export interface ConsumedState extends Pick<OAuthState, 'connectorId' | 'callbackUrl' | 'redirectUri'> {
  readonly verifier: string;
}

/**
 * Consumes a state: if two callbacks have the same state, one succeeds. Throws the errors of
 * `findState`, and `invalid_request` if another browser started the authorization. That state
 * remains usable.
 */
export async function consumeState(
  ctx: Context,
  named: NamedState,
  browserSecret: string | undefined,
): Promise<ConsumedState> {
  const found = await findState(ctx, named);
  const { stateHash, browserHash } = found;
  if (browserHash !== null && (browserSecret === undefined || hashState(browserSecret) !== browserHash)) {
    throw invalidRequest([
      {
        path: 'state',
        message: 'belongs to an authorization that another browser started; start it again in this browser',
      },
    ]);
  }
  const { count } = await ctx.db.oAuthState.deleteMany({ where: whereState(named) });
  if (count === 0) throw unknownState();
  const { verifier } = sealedSchema.parse(ctx.secrets.openFor(stateHash, named.teamId, found));
  const { connectorId, callbackUrl, redirectUri } = found;
  return { connectorId, callbackUrl, redirectUri, verifier };
}

export async function removeExpiredStates(ctx: Pick<Context, 'db'>): Promise<void> {
  await ctx.db.oAuthState.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
