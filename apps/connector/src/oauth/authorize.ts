import { type OAuthApp, type OAuthProvider, SourceError } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';
import { authorizeConnector, lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';
import { type ConsumedState, challengeOf, createState, createVerifier, hashState } from '#oauth/state';
import { InvalidGrant, requestTokens, type Tokens } from '#oauth/tokens';

// --- Start ---

const STATE_LIFETIME_MS = 10 * 60_000;

/** An authorization that waits for its user. */
export interface StartedAuthorization {
  readonly authorizationUrl: string;
  readonly state: string;
  readonly expiresAt: Date;
}

export interface AuthorizationOptions {
  readonly connector: Connector;
  readonly app: OAuthApp;
  readonly provider: OAuthProvider;
  readonly callbackUrl: string;
  readonly redirectUri: string | undefined;
  readonly browserSecret: string | undefined;
}

function authorizationUrl(
  { app, provider, callbackUrl }: AuthorizationOptions,
  state: string,
  verifier: string,
): string {
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

/** Stores a new state and returns the URL for the user to open. */
export async function startAuthorization(ctx: Context, options: AuthorizationOptions): Promise<StartedAuthorization> {
  const { connector, callbackUrl, redirectUri, browserSecret } = options;
  const { id: connectorId, teamId, type: provider } = connector;
  const state = createState(teamId);
  const verifier = createVerifier();
  const stateHash = hashState(state);
  const expiresAt = new Date(Date.now() + STATE_LIFETIME_MS);
  await ctx.db.oAuthState.create({
    data: {
      ...{ stateHash, teamId, provider, connectorId, callbackUrl, expiresAt },
      redirectUri: redirectUri ?? null,
      browserHash: browserSecret === undefined ? null : hashState(browserSecret),
      ...ctx.secrets.sealFor(stateHash, teamId, { verifier }),
    },
  });
  return { authorizationUrl: authorizationUrl(options, state, verifier), state, expiresAt };
}

// --- Finish ---

/** Longer than a refresh of earlier tokens can lock the row. */
const TRANSACTION = { timeout: 30_000 };

/** The authorization failed. The message is shown to the user. */
class AuthorizationFailed extends Error {
  override readonly name = 'AuthorizationFailed';
}

/** The parameters of the provider's callback. */
export interface CallbackOutcome {
  readonly code: string | undefined;
  readonly error: string | undefined;
}

const PROVIDER_ERRORS: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'The authorization was denied.'],
  ['temporarily_unavailable', 'The provider is temporarily unavailable. Try again later.'],
  [
    'invalid_scope',
    'The provider does not grant the scopes that Lectern requests. Check the scopes of the OAuth application.',
  ],
]);

function codeOf({ code, error }: CallbackOutcome): string {
  if (error !== undefined) {
    throw new AuthorizationFailed(PROVIDER_ERRORS.get(error) ?? 'The provider ended the authorization with an error.');
  }
  if (code === undefined || code === '') throw new AuthorizationFailed('The provider sent no code.');
  return code;
}

async function redeem(app: OAuthApp, provider: OAuthProvider, state: ConsumedState, code: string): Promise<Tokens> {
  try {
    return await requestTokens(app, provider, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: state.callbackUrl,
      ...(provider.pkce ? { code_verifier: state.verifier } : {}),
    });
  } catch (error) {
    if (error instanceof InvalidGrant) {
      throw new AuthorizationFailed('The provider rejected the code. Start the authorization again.', {
        cause: error,
      });
    }
    if (error instanceof SourceError) throw new AuthorizationFailed(error.message, { cause: error });
    throw error;
  }
}

/** Tokens that expire and cannot be renewed would break the connector within the hour. */
function requireRenewable({ refreshToken, expiresAt }: Tokens): void {
  if (refreshToken !== undefined || expiresAt === undefined) return;
  throw new AuthorizationFailed(
    'The provider sent no refresh token. Remove Lectern’s access in the account settings at the provider, then authorize again.',
  );
}

/**
 * Redeems the code, stores the tokens and activates the connector. Throws `AuthorizationFailed`.
 */
export async function finishAuthorization(
  ctx: Context,
  connector: Connector,
  {
    app,
    provider,
    state,
    outcome,
  }: {
    readonly app: OAuthApp;
    readonly provider: OAuthProvider;
    readonly state: ConsumedState;
    readonly outcome: CallbackOutcome;
  },
): Promise<void> {
  const tokens = await redeem(app, provider, state, codeOf(outcome));
  requireRenewable(tokens);
  await ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connector.id);
    await ctx.secrets.replace(tx, connector, tokens);
    await authorizeConnector(tx, connector.id);
  }, TRANSACTION);
}

/**
 * Stores why a connector is still pending. A connector that was authorized before keeps its tokens.
 */
export async function storeFailure(ctx: Context, connectorId: string, reason: string): Promise<void> {
  await ctx.db.connector.updateMany({
    where: { id: connectorId, status: 'pending_auth' },
    data: { statusReason: reason },
  });
}

/** Returns the message for the user, or undefined for an internal error. */
export function userMessage(error: unknown): string | undefined {
  if (error instanceof AuthorizationFailed) return error.message;
  return error instanceof AppError && error.code !== 'internal_error' ? error.message : undefined;
}
