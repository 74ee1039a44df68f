import type { identityProviders } from '@lectern/api-spec';
import { type Logger, newId, REWRAP_BATCH, rewrapRows, type Secrets } from '@lectern/service-kit';
import type { IdentityProvider, Prisma, PrismaClient } from '#gen/prisma/client';
import { deleteLinksWithoutRights } from '#identity/link-store';

type Db = Prisma.TransactionClient;
type NewProvider = identityProviders.NewIdentityProvider;

/** The most buttons of the sign-in page, for the whole installation. */
const MAX_SHOWN = 20;
/** A team has a few providers, not hundreds. */
export const MAX_PROVIDERS = 20;
/** The settings of a provider that can be changed. */
export type ProviderChanges = {
  readonly [K in keyof Omit<NewProvider, 'slug' | 'issuer'>]?: NewProvider[K] | undefined;
};

/** Replaces the client secret with its sealed form. */
function columnsOf(
  secrets: Secrets,
  { id, teamId }: Pick<IdentityProvider, 'id' | 'teamId'>,
  changes: ProviderChanges,
) {
  const { clientSecret, ...settings } = changes;
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  return clientSecret === undefined ? given : { ...given, ...secrets.seal(clientSecret, { row: id, team: teamId }) };
}

/** Creates a provider. Returns undefined if the team has one with this short name. */
export async function createProvider(
  db: Db,
  secrets: Secrets,
  teamId: string,
  { clientSecret, ...settings }: NewProvider,
  isFromSettings = false,
): Promise<IdentityProvider | undefined> {
  const id = newId('identityProvider');
  const sealed = secrets.seal(clientSecret, { row: id, team: teamId });
  const data = [{ id, teamId, isFromSettings, ...settings, ...sealed, updatedAt: new Date() }];
  const [created] = await db.identityProvider.createManyAndReturn({ data, skipDuplicates: true });
  return created;
}

export const updateProvider = (
  db: Db,
  secrets: Secrets,
  provider: IdentityProvider,
  changes: ProviderChanges,
): Promise<IdentityProvider> =>
  db.identityProvider.update({ where: { id: provider.id }, data: columnsOf(secrets, provider, changes) });

/** Finds a provider of a team. */
export async function findProvider(db: Db, teamId: string, id: string): Promise<IdentityProvider | undefined> {
  return (await db.identityProvider.findFirst({ where: { id, teamId } })) ?? undefined;
}

/** Returns a page of the providers of a team by name, and their total number. */
export async function listProviders(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly providers: readonly IdentityProvider[]; readonly total: number }> {
  const where = { teamId };
  const orderBy = [{ name: 'asc' as const }, { id: 'asc' as const }];
  const providers = await db.identityProvider.findMany({ where, orderBy, skip, take });
  return { providers, total: await db.identityProvider.count({ where }) };
}

/**
 * Returns the providers that the sign-in page shows. With several teams, these are only those of the
 * operator: a team must not put a button in front of the people of another one.
 */
export async function listShownProviders(db: Db): Promise<{ readonly id: string; readonly name: string }[]> {
  const hasOneTeam = (await db.team.count({ take: 2 })) < 2;
  return db.identityProvider.findMany({
    where: { isShown: true, ...(hasOneTeam ? {} : { isFromSettings: true }) },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MAX_SHOWN,
  });
}

/**
 * Deletes a provider with its identities and sessions, and takes people out of the groups that its
 * sign-ins manage. Returns the ids of the people who lose something.
 */
export async function deleteProvider(
  db: Db,
  { id, teamId, slug }: Pick<IdentityProvider, 'id' | 'teamId' | 'slug'>,
): Promise<readonly string[]> {
  const identities = await db.personIdentity.findMany({ where: { providerId: id }, select: { personId: true } });
  const people = identities.map(({ personId }) => personId);
  await db.groupMember.deleteMany({ where: { group: { teamId, source: slug, origin: 'sign_in' } } });
  await db.identityProvider.delete({ where: { id } });
  await deleteLinksWithoutRights(db, people);
  return people;
}

/** Rewraps the client secrets that an older master key wraps. */
export const rewrapClientSecrets = (db: PrismaClient, secrets: Secrets, log: Logger): Promise<void> =>
  rewrapRows(
    secrets,
    log,
    (where) => db.identityProvider.findMany({ where, orderBy: { id: 'asc' }, take: REWRAP_BATCH }),
    ({ id, wrappedKey }, data) => db.identityProvider.updateMany({ where: { id, wrappedKey }, data }),
  );
