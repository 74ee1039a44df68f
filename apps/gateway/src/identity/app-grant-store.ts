import { APP_SCOPES, type AppScope } from '@lectern/api-spec';
import { newId } from '@lectern/service-kit';
import type { AppGrant, AppTokenKind, Person, Prisma, PrismaClient } from '#gen/prisma/client';
import { groupsOf } from '#identity/group-store';
import { hashKey, newKey } from '#keys/format';
import type { StoredKey } from '#keys/key-store';
import { BATCH, inBatches } from '#retention/in-batches';

type Db = Prisma.TransactionClient;

const DAY_MS = 24 * 60 * 60_000;
const CODE_MS = 2 * 60_000;
/** The lifetime of an access token in seconds. */
export const ACCESS_SECONDS = 60 * 60;
/** An app that does not renew its access for this long loses it. */
const REFRESH_MS = 30 * DAY_MS;
/** After this, the person has to agree again. */
const MAX_MS = 180 * DAY_MS;
/** Connected apps of one person. The oldest one ends first. */
const MAX_GRANTS = 100;

/** A grant and whose it is. */
export type OwnedGrant = AppGrant & { readonly person: Person };

/** What a person agrees to. */
export interface NewGrant {
  readonly personId: string;
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly AppScope[];
  readonly resource: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

/** The tokens of an app. */
export interface AppTokens {
  readonly access: string;
  readonly refresh: string;
  readonly scopes: readonly AppScope[];
}

const isScope = (scope: string): scope is AppScope => APP_SCOPES.some((known) => known === scope);
export const scopesOf = (scopes: readonly string[]): readonly AppScope[] => scopes.filter(isScope);

/** Stores that a person agreed. Returns the grant and the authorization code. */
export async function createGrant(
  tx: Db,
  { scopes, ...grant }: NewGrant,
): Promise<{ readonly grant: AppGrant; readonly code: string }> {
  const { personId } = grant;
  const oldest = await tx.appGrant.findMany({
    where: { personId },
    orderBy: { createdAt: 'desc' },
    skip: MAX_GRANTS - 1,
    select: { id: true },
  });
  await tx.appGrant.deleteMany({ where: { id: { in: oldest.map(({ id }) => id) } } });
  const code = newKey('appCode');
  const now = Date.now();
  const created = await tx.appGrant.create({
    data: {
      id: newId('app'),
      ...grant,
      scopes: [...scopes],
      codeHash: hashKey(code),
      codeExpiresAt: new Date(now + CODE_MS),
      expiresAt: new Date(now + MAX_MS),
    },
  });
  return { grant: created, code };
}

/** Creates an access token and a refresh token. The access token can have fewer scopes than the grant. */
async function createTokens(tx: Db, grant: AppGrant, scopes: readonly AppScope[]): Promise<AppTokens> {
  const access = newKey('appAccess');
  const refresh = newKey('appRefresh');
  const row = (token: string, kind: AppTokenKind, lifetimeMs: number, allowed: readonly string[]) => ({
    tokenHash: hashKey(token),
    grantId: grant.id,
    kind,
    scopes: [...allowed],
    expiresAt: new Date(Math.min(Date.now() + lifetimeMs, grant.expiresAt.getTime())),
  });
  await tx.appToken.createMany({
    data: [row(access, 'access', ACCESS_SECONDS * 1_000, scopes), row(refresh, 'refresh', REFRESH_MS, grant.scopes)],
  });
  return { access, refresh, scopes };
}

/**
 * Finds the grant of an authorization code. A code works for two minutes. One that was exchanged is found
 * too, so that a second use is noticed.
 */
export async function findByCode(db: Db, code: string): Promise<OwnedGrant | undefined> {
  const where = { codeHash: hashKey(code) };
  const grant = await db.appGrant.findUnique({ where, include: { person: true } });
  if (grant === null) return undefined;
  const isUsable = grant.activatedAt !== null || grant.codeExpiresAt.getTime() > Date.now();
  return isUsable ? grant : undefined;
}

/** Exchanges the code of a grant for tokens. Returns undefined if another request did so first. */
export async function activateGrant(tx: Db, grant: AppGrant): Promise<AppTokens | undefined> {
  const { count } = await tx.appGrant.updateMany({
    where: { id: grant.id, activatedAt: null },
    data: { activatedAt: new Date() },
  });
  return count === 0 ? undefined : createTokens(tx, grant, scopesOf(grant.scopes));
}

/** A refresh token that exists, also one that was replaced. */
export async function findRefreshToken(db: Db, token: string) {
  const where = { tokenHash: hashKey(token), kind: 'refresh', expiresAt: { gt: new Date() } } as const;
  return (await db.appToken.findFirst({ where, include: { grant: { include: { person: true } } } })) ?? undefined;
}

/** Replaces a refresh token. Returns undefined if it was replaced before. */
export async function rotateToken(
  tx: Db,
  token: string,
  grant: AppGrant,
  scopes: readonly AppScope[],
): Promise<AppTokens | undefined> {
  const { count } = await tx.appToken.updateMany({
    where: { tokenHash: hashKey(token), usedAt: null },
    data: { usedAt: new Date() },
  });
  return count === 0 ? undefined : createTokens(tx, grant, scopes);
}

/** Finds the grant of a token of any kind. */
export async function findByToken(db: Db, token: string): Promise<OwnedGrant | undefined> {
  const where = { tokenHash: hashKey(token) };
  const found = await db.appToken.findUnique({ where, include: { grant: { include: { person: true } } } });
  return found?.grant;
}

/** Ends the access of an app. Returns false if it has ended. */
export async function deleteGrant(
  tx: Db,
  where: { readonly id: string; readonly personId?: string },
): Promise<boolean> {
  const { count } = await tx.appGrant.deleteMany({ where });
  return count > 0;
}

/** Ends the access of all apps of people. Returns their number. */
export async function deleteGrantsOf(tx: Db, personIds: readonly string[]): Promise<number> {
  const { count } = await tx.appGrant.deleteMany({ where: { personId: { in: [...personIds] } } });
  return count;
}

/** The apps that can act now: the code was exchanged, and a token has not expired. */
const connected = (): Prisma.AppGrantWhereInput => ({
  activatedAt: { not: null },
  tokens: { some: { expiresAt: { gt: new Date() }, usedAt: null } },
});

/** Returns the connected apps of a person, the newest first. */
export const listGrantsOf = (db: Db, personId: string): Promise<readonly AppGrant[]> =>
  db.appGrant.findMany({ where: { personId, ...connected() }, orderBy: { createdAt: 'desc' }, take: MAX_GRANTS });

/** Returns a page of the connected apps of a team, the newest first, and their total number. */
export async function listGrants(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly grants: readonly OwnedGrant[]; readonly total: number }> {
  const where = { person: { teamId }, ...connected() };
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const grants = await db.appGrant.findMany({ where, orderBy, skip, take, include: { person: true } });
  return { grants, total: await db.appGrant.count({ where }) };
}

/** Finds a connected app of a team. */
export const findGrant = (db: Db, teamId: string, id: string): Promise<OwnedGrant | null> =>
  db.appGrant.findFirst({ where: { id, person: { teamId } }, include: { person: true } });

/** Finds the access token of an app whose person is active, by its SHA-256. */
export async function findAppToken(db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<StoredKey | undefined> {
  const include = { grant: { include: { person: true } } };
  const found = await db.appToken.findFirst({ where: { tokenHash, kind: 'access' }, include });
  if (found === null || found.grant.person.status !== 'active') return undefined;
  const { grant } = found;
  const { id, teamId, name, email } = grant.person;
  const groups = (await groupsOf(db, [id]))(id);
  return {
    pairId: id,
    pairName: name,
    app: { grantId: grant.id, resource: grant.resource, email, groups: groups.principals },
    teamId,
    kind: 'secret',
    scope: { kind: 'all' },
    rights: scopesOf(found.scopes),
    allowedIps: [],
    allowedHosts: [],
    allowedReferers: [],
    publishableReads: 'public',
    requireSignature: false,
    rateLimitPerMinute: undefined,
    expiresAt: found.expiresAt,
    endsAt: grant.expiresAt,
  };
}

/** Stores the last use of grants. */
export const storeAppUses = (db: PrismaClient) => (ids: readonly string[], times: readonly Date[]) =>
  db.$executeRaw`UPDATE app_grants AS app SET last_used_at = used.at
    FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used(id, at)
    WHERE app.id = used.id AND (app.last_used_at IS NULL OR app.last_used_at < used.at)`;

/** Deletes expired tokens, codes that were never exchanged, and grants without a token. */
export async function purgeGrants(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(
    () => db.$executeRaw`DELETE FROM app_tokens WHERE token_hash IN
    (SELECT token_hash FROM app_tokens WHERE expires_at < now() LIMIT ${BATCH})`,
    signal,
  );
  await inBatches(
    () => db.$executeRaw`DELETE FROM app_grants WHERE id IN
    (SELECT id FROM app_grants AS app WHERE code_expires_at < now()
      AND (expires_at < now() OR NOT EXISTS (SELECT FROM app_tokens WHERE grant_id = app.id)) LIMIT ${BATCH})`,
    signal,
  );
}
