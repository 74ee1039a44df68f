import { setTimeout as delay } from 'node:timers/promises';
import { type OAuthApp, type OAuthProvider, SourceError } from '@lectern/connectors';
import type { Logger } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import type { SecretOwner, SecretStore } from '../credentials/secret-store.ts';
import { AUTHORIZE_AGAIN, loseAuthorization } from './lose-authorization.ts';
import { InvalidGrant, requestTokens } from './request-tokens.ts';
import { type Tokens, tokensSchema } from './tokens.ts';

/** Longer than the provider may take, twice: once for the process that is before us, once for ourselves. */
const TRANSACTION = { timeout: 40_000, maxWait: 10_000 };
const SAVE_RETRIES_MS = [200, 1_000, 3_000];

export interface TokenDependencies {
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly secrets: SecretStore;
  readonly owner: SecretOwner;
  readonly provider: OAuthProvider;
  /** Throws `unavailable` where none is configured. */
  readonly app: () => OAuthApp;
}

const notAuthorised = () => new SourceError('auth', 'The connector has not been authorised yet.');

/** The tokens as they are kept. Throws `SourceError` of kind `auth` where there are none. */
export async function readTokens(
  { secrets, owner }: Pick<TokenDependencies, 'secrets' | 'owner'>,
  db: Prisma.TransactionClient | PrismaClient,
): Promise<Tokens> {
  const secret = await secrets.read(db, owner);
  if (secret === undefined) throw notAuthorised();
  return tokensSchema.parse(secret.value);
}

/** What the provider was asked with, and what it answered: the old ones hold no longer, so the new must not be lost. */
interface Rotation {
  readonly tried: Uint8Array<ArrayBuffer>;
  readonly tokens: Tokens | undefined;
}

/** Keeps rotated tokens whose transaction could not be committed, unless somebody has put others there. */
async function saveLate({ db, log, secrets, owner }: TokenDependencies, tried: Rotation['tried'], tokens: Tokens) {
  const sealed = secrets.sealFor(owner.id, owner.teamId, tokens);
  for (const waitMs of SAVE_RETRIES_MS) {
    await delay(waitMs);
    try {
      await db.connectorSecret.updateMany({ where: { connectorId: owner.id, sealed: tried }, data: sealed });
      return;
    } catch (err) {
      log.warn({ err, connectorId: owner.id }, 'rotated tokens could not be kept yet');
    }
  }
}

/**
 * Renews a connector's tokens unless those that are kept will do. The row is locked before it is read and until the new tokens are in it,
 * so callers in any number of processes end in one refresh, and no token is used before it is kept.
 */
export async function refreshTokens(deps: TokenDependencies, willDo: (kept: Tokens) => boolean): Promise<Tokens> {
  const { db, secrets, owner, provider, app, log } = deps;
  let rotation: Rotation | undefined;
  try {
    return await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT connector_id FROM connector_secrets WHERE connector_id = ${owner.id} FOR UPDATE`;
      const kept = await readTokens(deps, tx);
      if (willDo(kept)) return kept;
      if (kept.refreshToken === undefined) throw new SourceError('auth', AUTHORIZE_AGAIN);
      const { sealed: tried } = await tx.connectorSecret.findUniqueOrThrow({ where: { connectorId: owner.id } });
      rotation = { tried, tokens: undefined };
      const tokens = await requestTokens(app(), provider, {
        grant_type: 'refresh_token',
        refresh_token: kept.refreshToken,
      });
      rotation = { tried, tokens };
      await secrets.refresh(tx, owner, tokens);
      return tokens;
    }, TRANSACTION);
  } catch (error) {
    if (rotation === undefined) throw error;
    if (error instanceof InvalidGrant) {
      log.warn({ connectorId: owner.id }, 'the authorisation does not hold any more');
      await loseAuthorization(db, owner, rotation.tried);
      throw new SourceError('auth', AUTHORIZE_AGAIN, { cause: error });
    }
    if (rotation.tokens === undefined) throw error;
    await saveLate(deps, rotation.tried, rotation.tokens);
    return await readTokens(deps, db);
  }
}
