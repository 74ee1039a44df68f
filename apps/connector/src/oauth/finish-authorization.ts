import { type OAuthApp, type OAuthProvider, SourceError } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import { authorizeConnector } from '../connectors/connector-machine.ts';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { Context } from '../context.ts';
import { InvalidGrant, requestTokens } from './request-tokens.ts';
import type { TakenState } from './take-state.ts';
import type { Tokens } from './tokens.ts';

// Longer than a refresh of the former tokens may hold the row.
const TRANSACTION = { timeout: 30_000, maxWait: 10_000 };

/** The authorisation came to nothing, for a reason that its user is told. */
export class AuthorizationFailed extends Error {
  override readonly name = 'AuthorizationFailed';
}

/** What the provider sent the user back with. */
export interface CallbackOutcome {
  readonly code: string | undefined;
  readonly error: string | undefined;
}

const REFUSALS: Readonly<Record<string, string>> = {
  access_denied: 'The authorisation was refused.',
  temporarily_unavailable: 'The provider is not available at the moment. Try again.',
  invalid_scope: 'The provider does not grant what Lectern asks for. Check the OAuth application’s scopes.',
};

function codeOf({ code, error }: CallbackOutcome): string {
  if (error !== undefined) {
    throw new AuthorizationFailed(REFUSALS[error] ?? 'The provider ended the authorisation with an error.');
  }
  if (code === undefined || code === '') throw new AuthorizationFailed('The provider sent no code.');
  return code;
}

async function redeem(app: OAuthApp, provider: OAuthProvider, state: TakenState, code: string): Promise<Tokens> {
  try {
    return await requestTokens(app, provider, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: state.callbackUrl,
      ...(provider.pkce ? { code_verifier: state.verifier } : {}),
    });
  } catch (error) {
    if (error instanceof InvalidGrant) {
      throw new AuthorizationFailed('The provider does not accept the code. Begin the authorisation again.', {
        cause: error,
      });
    }
    if (error instanceof SourceError) throw new AuthorizationFailed(error.message, { cause: error });
    throw error;
  }
}

/** Tokens that end and cannot be renewed would leave the connector broken within the hour. */
function requireRenewable({ refreshToken, expiresAt }: Tokens): void {
  if (refreshToken !== undefined || expiresAt === undefined) return;
  throw new AuthorizationFailed(
    'The provider gave no refresh token. Remove Lectern’s access in the account’s settings at the provider, then authorise again.',
  );
}

/** Redeems the code and keeps the tokens; the connector is `active` from then on. Throws `AuthorizationFailed`. */
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
    readonly state: TakenState;
    readonly outcome: CallbackOutcome;
  },
): Promise<void> {
  const tokens = await redeem(app, provider, state, codeOf(outcome));
  requireRenewable(tokens);
  await ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connector.id);
    await ctx.secrets.give(tx, connector, tokens);
    await authorizeConnector(tx, connector.id);
  }, TRANSACTION);
}

/** Says on a connector that still waits why it does. One that was authorised before goes on with what it has. */
export async function noteFailure(ctx: Context, connectorId: string, reason: string): Promise<void> {
  await ctx.db.connector.updateMany({
    where: { id: connectorId, status: 'pending_auth' },
    data: { statusReason: reason },
  });
}

/** What is told of a failure; undefined for a fault of ours, which is thrown on. */
export function reasonOfFailure(error: unknown): string | undefined {
  if (error instanceof AuthorizationFailed) return error.message;
  return error instanceof AppError && error.code !== 'internal_error' ? error.message : undefined;
}
