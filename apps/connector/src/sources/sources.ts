import {
  type BlobStore,
  type Connector,
  type ConnectorHost,
  type ConnectorType,
  findConnectorType,
  type SourceAddresses,
  SourceError,
  type TokenSource,
} from '@lectern/connectors';
import type { EgressGuard } from '@lectern/egress';
import { AppError, createBatcher, type Logger } from '@lectern/service-kit';
import type { Config } from '#config';
import { createRenewCredential, type Renewals, renewWithoutStore } from '#credentials/renew-credential';
import type { SecretOwner, SecretStore, StoredSecret } from '#credentials/secret-store';
import { createFileCatalog } from '#files/files';
import type { PrismaClient } from '#gen/prisma/client';
import { findOAuthApp } from '#oauth/oauth-apps';
import { notAuthorized } from '#oauth/refresh-tokens';
import { createTokenSource } from '#oauth/token-source';
import { createItemCatalog } from '#push/item-rows';
import { createPageMemory, NO_PAGES } from '#sources/page-memory';
import type { RatePauses } from '#sources/rate-pauses';
import { createSourceCache } from '#sources/source-cache';

/** The sources of connectors. */
export interface Sources {
  /**
   * Opens a connector's source with its current settings and passes it to `work`. Results must be
   * read before `work` ends. Throws `SourceError` (`gone`) if the connector is deleted,
   * `invalid_request` if its settings no longer fit its type.
   */
  use<T>(connectorId: string, work: (source: Connector) => Promise<T>): Promise<T>;
  /** Opens a source with settings that are not stored, only for `work`. */
  try<T>(settings: TrialSettings, work: (source: Connector) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface TrialSettings {
  readonly type: ConnectorType;
  readonly config: unknown;
  readonly credentials: unknown;
}

export interface SourceDependencies {
  readonly config: Config;
  readonly db: PrismaClient;
  readonly log: Logger;
  readonly blobs: BlobStore;
  readonly egress: EgressGuard;
  readonly pauses: RatePauses;
  readonly secrets: SecretStore;
  readonly types: readonly ConnectorType[];
}

/**
 * Converts a source's error for an API caller. The cause is neither the API key nor Lectern.
 */
export function toApiError(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error;
  const code = error.kind === 'rate' ? 'unavailable' : 'upstream_error';
  return new AppError(code, error.message, { cause: error, details: { reason: error.kind } });
}

const unauthorized = async (): Promise<never> => {
  throw notAuthorized();
};
const noTokens: TokenSource = { access: unauthorized, renew: unauthorized };

const addressesOf = (config: Config): SourceAddresses => ({
  github: config.GITHUB_API_URL,
  slack: config.SLACK_API_URL,
  notion: config.NOTION_API_URL,
  google: config.GOOGLE_API_URL,
  googleAdmin: config.GOOGLE_ADMIN_API_URL,
  gmail: config.GOOGLE_GMAIL_API_URL,
  googleToken: config.GOOGLE_TOKEN_URL,
  salesforceLogin: config.SALESFORCE_LOGIN_URL,
});

/** Connectors per query. */
const MAX_ROWS = 100;

/** Opens sources for this process. No other code does. */
export function createSources(deps: SourceDependencies): Sources {
  const { config, db, log, blobs, egress, pauses, secrets, types } = deps;
  const cache = createSourceCache(log);
  const renewals: Renewals = new Map();
  const hostOf = (
    connectorId: string,
    tokens: TokenSource,
    renewCredential: ConnectorHost['renewCredential'],
  ): ConnectorHost => ({
    blobs,
    egress: pauses.guard(connectorId, egress),
    tokens,
    renewCredential,
    maxItemBytes: config.MAX_FILE_BYTES,
    files: createFileCatalog(db, connectorId),
    items: createItemCatalog(db, connectorId),
    pages: connectorId === '' ? NO_PAGES : createPageMemory(db, connectorId),
    addresses: addressesOf(config),
  });
  const tokensOf = (owner: SecretOwner, { name, oauth }: ConnectorType): TokenSource =>
    oauth === undefined
      ? noTokens
      : createTokenSource({ db, log, secrets, owner, provider: oauth, app: () => findOAuthApp(config, name) });
  // The items of a connector that are processed at the same time share a query.
  const findRow = createBatcher({
    maxWeight: MAX_ROWS,
    work: async (ids: readonly string[]) => {
      const where = { id: { in: [...new Set(ids)] } };
      const rows = await db.connector.findMany({ where, include: { secret: true } });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id));
    },
  });
  const openSecret = (owner: SecretOwner, row: StoredSecret) => {
    try {
      return secrets.open(owner, row);
    } catch (error) {
      // An operator has to restore a master key: a later retry can succeed.
      if (error instanceof AppError) throw new SourceError('transient', error.message, { cause: error });
      throw error;
    }
  };
  return {
    use: async (id, work) => {
      const row = await findRow(id);
      if (row === undefined) throw new SourceError('gone', 'The connector was deleted.');
      const type = findConnectorType(row.type, types);
      const secret = row.secret === null ? undefined : openSecret(row, row.secret);
      const stored = secret?.value ?? {};
      // Tokens of an authorization are no credentials; the source gets them from its token source.
      const credentials = type.needsAuthorization(stored) ? {} : stored;
      const { revision = 0 } = secret ?? {};
      const version = JSON.stringify([row.type, row.config, revision]);
      const open = () => {
        const renewCredential = createRenewCredential({ db, log, secrets, renewals, owner: row, revision });
        return type.open({ config: row.config, credentials, host: hostOf(id, tokensOf(row, type), renewCredential) });
      };
      return cache.use({ id, version, open }, work);
    },
    try: async ({ type, config, credentials }, work) => {
      const source = type.open({ config, credentials, host: hostOf('', noTokens, renewWithoutStore) });
      try {
        return await work(source);
      } finally {
        await source.close?.().catch((err: unknown) => log.warn({ err }, 'could not close a tested source'));
      }
    },
    close: () => cache.close(),
  };
}
