import type { OAuthApp, OAuthProvider } from '@lectern/connectors';
import type { Connector } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { challengeOf, createState, createVerifier, hashState } from './oauth-state.ts';

const LIFETIME_MS = 10 * 60_000;

/** An authorisation that waits for its user. */
export interface BegunAuthorization {
  readonly authorizationUrl: string;
  readonly state: string;
  readonly expiresAt: Date;
}

export interface AuthorizationOrder {
  readonly connector: Connector;
  readonly app: OAuthApp;
  readonly provider: OAuthProvider;
  readonly callbackUrl: string;
  readonly redirectUri: string | undefined;
  readonly browserSecret: string | undefined;
}

function authorizationUrl({ app, provider, callbackUrl }: AuthorizationOrder, state: string, verifier: string): string {
  const url = new URL(app.authUrl);
  const pkce: Record<string, string> = provider.pkce
    ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    : {};
  const parameters = {
    ...provider.authorizeParameters,
    ...pkce,
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: callbackUrl,
    state,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.toString();
}

/** Keeps the hash of a new state, and answers the address that the user is to open. */
export async function beginAuthorization(ctx: Context, order: AuthorizationOrder): Promise<BegunAuthorization> {
  const { connector, callbackUrl, redirectUri, browserSecret } = order;
  const { id: connectorId, teamId, type: provider } = connector;
  const state = createState(teamId);
  const verifier = createVerifier();
  const stateHash = hashState(state);
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  await ctx.db.oAuthState.create({
    data: {
      ...{ stateHash, teamId, provider, connectorId, callbackUrl, expiresAt },
      redirectUri: redirectUri ?? null,
      browserHash: browserSecret === undefined ? null : hashState(browserSecret),
      ...ctx.secrets.sealFor(stateHash, teamId, { verifier }),
    },
  });
  return { authorizationUrl: authorizationUrl(order, state, verifier), state, expiresAt };
}
