import { type OAuthApp, type OAuthProvider, SourceError } from '@lectern/connectors';
import type { Logger } from '@lectern/service-kit';
import { lockConnector, moveConnector } from '#connectors/connector';
import type { SecretOwner, SecretStore } from '#credentials/secret-store';
import { storeReplacement } from '#credentials/store-replacement';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import { InvalidGrant, requestTokens, type Tokens, tokensSchema } from '#oauth/tokens';

/** Longer than two token requests: another process may refresh first. */
const TRANSACTION = { timeout: 40_000 };

const AUTHORIZE_AGAIN =
  'The source rejected the authorization: it was revoked or has expired. Authorize the connector again (POST /api/v1/oauth/init).';

export interface TokenDependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly secrets: SecretStore;
  readonly owner: SecretOwner;
  readonly provider: OAuthProvider;
  /** Throws `unavailable` if none is configured. */
  readonly app: () => OAuthApp;
}

export const notAuthorized = () =>
  new SourceError(
    'auth',
    'The connector is not authorized yet. Authorize it in the console, or with POST /api/v1/oauth/init.',
  );

/** Reads the stored tokens. Throws `SourceError` of kind `auth` if there are none. */
export async function readTokens(
  { secrets, owner }: Pick<TokenDependencies, 'secrets' | 'owner'>,
  db: Prisma.TransactionClient | PrismaClient,
): Promise<Tokens> {
  const secret = await secrets.read(db, owner);
  if (secret === undefined) throw notAuthorized();
  return tokensSchema.parse(secret.value);
}

/**
 * A refresh at the provider. The old tokens are invalid from then on, so the new ones must not be
 * lost.
 */
interface Rotation {
  readonly replaced: Uint8Array<ArrayBuffer>;
  readonly tokens: Tokens | undefined;
}

/**
 * Stores rotated tokens whose transaction could not be committed, unless others were stored in the
 * meantime. If every attempt fails, the tokens are lost.
 */
async function storeRotated(deps: TokenDependencies, { replaced, tokens }: Rotation): Promise<void> {
  const { db, log, secrets, owner } = deps;
  const connectorId = owner.id;
  const sealed = secrets.sealFor(owner.id, owner.teamId, tokens);
  await storeReplacement(log, connectorId, () =>
    db.connectorSecret.updateMany({ where: { connectorId, sealed: replaced }, data: sealed }),
  );
}

/**
 * Returns a connector to `pending_auth`, unless its user has authorized it again in the meantime.
 */
async function revokeAuthorization(
  db: PrismaClient,
  { id }: SecretOwner,
  rejected: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockConnector(tx, id);
    const unchanged = await tx.connectorSecret.count({ where: { connectorId: id, sealed: rejected } });
    if (unchanged > 0) await moveConnector(tx, id, 'pending_auth', { statusReason: AUTHORIZE_AGAIN });
  });
}

/**
 * Renews a connector's tokens unless `isUsable` accepts the stored ones. The row is locked until
 * the new tokens are stored, so that any number of processes make one refresh, and no token is used
 * before it is stored.
 */
export async function refreshTokens(deps: TokenDependencies, isUsable: (stored: Tokens) => boolean): Promise<Tokens> {
  const { db, secrets, owner, provider, app, log } = deps;
  let rotation: Rotation | undefined;
  try {
    return await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT connector_id FROM connector_secrets WHERE connector_id = ${owner.id} FOR UPDATE`;
      const stored = await readTokens(deps, tx);
      if (isUsable(stored)) return stored;
      if (stored.refreshToken === undefined) throw new SourceError('auth', AUTHORIZE_AGAIN);
      const { sealed: replaced } = await tx.connectorSecret.findUniqueOrThrow({ where: { connectorId: owner.id } });
      rotation = { replaced, tokens: undefined };
      const tokens = await requestTokens(app(), provider, {
        grant_type: 'refresh_token',
        refresh_token: stored.refreshToken,
      });
      rotation = { replaced, tokens };
      await secrets.refresh(tx, owner, tokens);
      return tokens;
    }, TRANSACTION);
  } catch (error) {
    if (rotation === undefined) throw error;
    if (error instanceof InvalidGrant) {
      log.warn({ connectorId: owner.id }, 'the provider rejected the authorization');
      await revokeAuthorization(db, owner, rotation.replaced);
      throw new SourceError('auth', AUTHORIZE_AGAIN, { cause: error });
    }
    if (rotation.tokens === undefined) throw error;
    await storeRotated(deps, rotation);
    return await readTokens(deps, db);
  }
}
