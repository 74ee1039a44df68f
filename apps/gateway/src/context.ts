import { createEgressGuard, type EgressGuard } from '@lectern/egress';
import { createLogger, createSecrets, type Logger, prismaOptions, type Secrets } from '@lectern/service-kit';
import { createFailedSignIns, type FailedSignIns } from '#audit/failed-sign-ins';
import { type Clients, type Connections, connectServices, createClients } from '#clients';
import type { Config } from '#config';
import { PrismaClient } from '#gen/prisma/client';
import { type BufferedUploads, createBufferedUploads } from '#http/body/buffered-uploads';
import { storeAppUses } from '#identity/app-grant-store';
import { findCredential } from '#identity/credential';
import { createEndUserGroups, type EndUserGroups } from '#identity/end-user-groups';
import { createOidcClients, type OidcClients } from '#identity/oidc/clients';
import { type SessionTimes, storeSessionUses } from '#identity/session-store';
import { isCollectionDeleted } from '#keys/is-collection-deleted';
import { createKeyCache, type KeyCache } from '#keys/key-cache';
import { createKeyExistence, type KeyExistence } from '#keys/key-existence';
import { createKeyWatches, type KeyWatches } from '#keys/key-watches';
import { createLastUsed, type LastUsed, storePairUses } from '#keys/last-used';
import { createPairChanges, type PairChange, type PairChanges } from '#keys/pair-changes';
import { createLifecycle, type Lifecycle } from '#lifecycle';
import { type AddressLimit, createAddressLimit } from '#limits/address-limit';
import { type TrustedProxies, trustProxies } from '#limits/client-ip';
import { createBucketStore } from '#limits/create-bucket-store';
import { createLimiter, type Limiter } from '#limits/limiter';
import { createMinuteCounts, type MinuteCounts } from '#limits/minute-counts';
import { createStreamSlots, type StreamSlots } from '#limits/stream-slots';
import { createMailer, type Mailer } from '#mail/mailer';
import { createOpenRequests, type OpenRequests } from '#mcp/open-requests';
import { type Admit, admit } from '#pipeline/admit';
import { createReadiness, type Readiness } from '#readiness';
import { createPopularQueries, type PopularQueries } from '#search-log/popular-queries';
import { createSearchLog, type SearchLog } from '#search-log/search-log';
import { createSlackState, type SlackState } from '#slack/slack-state';
import { createUsageCounts, type UsageCounts } from '#usage/usage-counts';
import { createWebhooks, type Webhooks } from '#webhooks/webhooks';

/** The dependencies of the gateway's parts. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly admit: Admit;
  readonly keys: KeyCache;
  readonly keyExists: KeyExistence;
  readonly keyWatches: KeyWatches;
  readonly pairChanges: PairChanges;
  readonly lastUsed: LastUsed;
  readonly sessionTimes: SessionTimes;
  readonly sessionsUsed: LastUsed;
  readonly appsUsed: LastUsed;
  readonly endUserGroups: EndUserGroups;
  readonly usage: UsageCounts;
  readonly searchLog: SearchLog;
  readonly popularQueries: PopularQueries;
  readonly limiter: Limiter;
  /** Limits requests with invalid keys: each one costs a query. */
  readonly unknownKeys: AddressLimit;
  /** Limits the redirects of OAuth providers, which need no key. */
  readonly oauthCallbacks: AddressLimit;
  /** Limits sign-ins with identity providers that do not succeed. */
  readonly providerSignIns: AddressLimit;
  /** Limits requests to the addresses for Slack that Slack did not sign. */
  readonly slackRequests: AddressLimit;
  readonly slack: SlackState;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  /** Limits failed attempts to sign in. */
  readonly signIns: AddressLimit;
  /** Limits the challenges for passkeys, which sign-in pages request when they open. */
  readonly passkeyChallenges: AddressLimit;
  /** Counts failed attempts to sign in to an account from one network. */
  readonly accountSignIns: MinuteCounts;
  readonly failedSignIns: FailedSignIns;
  /** Limits the use of account links. */
  readonly accountLinks: AddressLimit;
  /** Limits registrations of apps, which need no key. */
  readonly appRegistrations: AddressLimit;
  /** Limits requests of apps with invalid codes and tokens. */
  readonly appTokenFailures: AddressLimit;
  readonly mcpRequests: OpenRequests;
  readonly bufferedUploads: BufferedUploads;
  readonly egress: EgressGuard;
  readonly secrets: Secrets;
  readonly oidc: OidcClients;
  readonly webhooks: Webhooks;
  readonly readiness: Readiness;
  readonly streams: StreamSlots;
  readonly isTrustedProxy: TrustedProxies;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly lifecycle: Lifecycle;
}

/** The people who must have searched for a query before others get it as a suggestion. */
const MIN_PEOPLE = 3;

export const DATABASE_SCHEMA = 'gateway';

/** An office shares one address, and somebody who is not signed in at the provider starts often. */
const STARTS_PER_SIGN_IN = 10;

/** Each statement of the gateway concerns only a few rows. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Together the deadline of calls that only read: see `clients.ts`. */
const TRANSACTION_LIMITS = { maxWait: 4_000, timeout: 8_000 };

/** An open sign-in page requests challenges without an attempt to sign in. */
const CHALLENGES_PER_SIGN_IN = 10;

/** Creates the context. Connections open on first use: database and services can start later. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const options = prismaOptions({
    url: config.DATABASE_URL,
    schema: DATABASE_SCHEMA,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    transactionLimits: TRANSACTION_LIMITS,
  });
  const db = overrides.db ?? new PrismaClient(options);
  const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const sessionTimes = { idleMinutes: config.SESSION_IDLE_MINUTES, maxMinutes: config.SESSION_MAX_MINUTES };
  const keys = createKeyCache({
    staleMs: config.KEY_STALE_MS,
    find: findCredential(db, sessionTimes),
  });
  const egress = overrides.egress ?? createEgressGuard({ allow: config.EGRESS_ALLOW });
  const secrets = createSecrets(config.LECTERN_MASTER_KEYS, log, {
    what: 'the secrets of providers, webhooks and Slack apps',
    service: 'gateway',
  });
  const connections = overrides.connections ?? connectServices(config);
  const clients = createClients(connections, config);
  const keyWatches = createKeyWatches(keys, isCollectionDeleted(clients));
  const onChange = ({ pairId }: PairChange) => {
    keys.forget(pairId);
    keyWatches.recheck(pairId);
  };
  return {
    config,
    log,
    db,
    admit,
    keys,
    keyExists: createKeyExistence(db),
    keyWatches,
    pairChanges: createPairChanges({ url: config.NATS_URL, log, onChange }),
    lastUsed: createLastUsed(storePairUses(db)),
    sessionTimes,
    sessionsUsed: createLastUsed(storeSessionUses(db)),
    appsUsed: createLastUsed(storeAppUses(db)),
    endUserGroups: createEndUserGroups(db, config.KEY_STALE_MS),
    usage: createUsageCounts(db),
    popularQueries: createPopularQueries(db, Math.max(MIN_PEOPLE, config.SEARCH_ANALYTICS_MIN_PEOPLE), log),
    searchLog: createSearchLog(db, {
      isOff: config.SEARCH_ANALYTICS_RETENTION_DAYS === 0,
      collapseMs: config.SEARCH_ANALYTICS_COLLAPSE_MS,
    }),
    limiter: createLimiter({
      store: createBucketStore(config, DATABASE_SCHEMA),
      log,
      fallbackShare: config.RATE_LIMIT_FALLBACK_SHARE,
    }),
    unknownKeys: createAddressLimit(
      'Too many invalid API keys from this address.',
      config.RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE,
    ),
    oauthCallbacks: createAddressLimit(
      'Too many authorization callbacks from this address.',
      config.RATE_LIMIT_OAUTH_CALLBACKS_PER_MINUTE,
    ),
    providerSignIns: createAddressLimit(
      'Too many sign-ins from this address.',
      config.RATE_LIMIT_SIGN_INS_PER_MINUTE * STARTS_PER_SIGN_IN,
    ),
    slackRequests: createAddressLimit(
      'Too many requests with an invalid signature from this address.',
      config.RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE,
    ),
    slack: createSlackState(),
    mailer: createMailer(config),
    signIns: createAddressLimit(
      'Too many attempts to sign in from this address.',
      config.RATE_LIMIT_SIGN_INS_PER_MINUTE,
    ),
    passkeyChallenges: createAddressLimit(
      'Too many challenges for passkeys from this address.',
      config.RATE_LIMIT_SIGN_INS_PER_MINUTE * CHALLENGES_PER_SIGN_IN,
    ),
    accountSignIns: createMinuteCounts(Math.floor(config.RATE_LIMIT_SIGN_INS_PER_MINUTE / 2)),
    failedSignIns: createFailedSignIns(db),
    accountLinks: createAddressLimit(
      'Too many account links from this address.',
      config.RATE_LIMIT_SIGN_INS_PER_MINUTE,
    ),
    appRegistrations: createAddressLimit(
      'Too many registrations of apps from this address.',
      config.RATE_LIMIT_SIGN_INS_PER_MINUTE,
    ),
    appTokenFailures: createAddressLimit(
      'Too many invalid codes and tokens of apps from this address.',
      config.RATE_LIMIT_SIGN_INS_PER_MINUTE,
    ),
    mcpRequests: createOpenRequests(),
    bufferedUploads: createBufferedUploads(config),
    egress,
    secrets,
    oidc: createOidcClients(egress, secrets),
    webhooks: createWebhooks({ config, db, log, egress, secrets, clients }),
    readiness: createReadiness({ db, connections }),
    streams: createStreamSlots(config.MAX_STREAMS_PER_KEY),
    isTrustedProxy: trustProxies(config.TRUST_PROXY),
    connections,
    clients,
    lifecycle: createLifecycle(),
    ...overrides,
  };
}

/** Closes the connections of the context. */
export async function closeContext({ connections, db, egress, limiter, pairChanges }: Context): Promise<void> {
  for (const connection of Object.values(connections)) connection.close();
  await Promise.all([pairChanges.close(), limiter.close(), egress.close()]);
  await db.$disconnect();
}
