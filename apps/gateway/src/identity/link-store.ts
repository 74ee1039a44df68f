import type { Role } from '@lectern/api-spec';
import { newId } from '@lectern/service-kit';
import type { AccountLink, Prisma, PrismaClient, Team } from '#gen/prisma/client';
import { hashKey, isToken, newKey } from '#keys/format';
import { revokeKeyPair } from '#keys/pair-store';

type Db = Prisma.TransactionClient;

const HOUR_MS = 3_600_000;
const PURGE_ROWS = 1_000;
/** How long a link that was not used stays in the list of invitations after it has expired. */
const KEEP_MS = 30 * 24 * HOUR_MS;

/** How long each kind of link works. */
const LIFETIME_MS = { owner: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS, reset: 24 * HOUR_MS } as const;

/** What a link does. */
type NewLink =
  | { readonly purpose: 'owner' }
  | { readonly purpose: 'invitation'; readonly email: string; readonly role: Role }
  | { readonly purpose: 'reset'; readonly personId: string };

/** A link with the token that only its URL contains. */
export interface CreatedLink {
  readonly link: AccountLink;
  readonly token: string;
}

/** The links that a new link replaces. */
function replacedBy(link: NewLink): Prisma.AccountLinkWhereInput {
  if (link.purpose === 'invitation') return { purpose: 'invitation', email: link.email };
  return link.purpose === 'reset' ? { purpose: 'reset', personId: link.personId } : { purpose: 'owner' };
}

/** Creates a link, and deletes the unused one that it replaces. `createdBy` is undefined for an operator. */
export async function createLink(
  db: Db,
  teamId: string,
  link: NewLink,
  createdBy: string | undefined,
): Promise<CreatedLink> {
  const token = newKey('link');
  await db.accountLink.deleteMany({ where: { teamId, usedAt: null, ...replacedBy(link) } });
  const created = await db.accountLink.create({
    data: {
      id: newId('invitation'),
      tokenHash: hashKey(token),
      teamId,
      ...link,
      ...(link.purpose === 'owner' ? { role: 'owner' as const } : {}),
      createdBy: createdBy ?? null,
      expiresAt: new Date(Date.now() + LIFETIME_MS[link.purpose]),
    },
  });
  return { link: created, token };
}

const works = () => ({ usedAt: null, expiresAt: { gt: new Date() } });

/** Finds a link that works. */
export async function findLink(db: Db, token: string): Promise<(AccountLink & { readonly team: Team }) | undefined> {
  if (!isToken('link', token)) return undefined;
  const where = { tokenHash: hashKey(token), ...works() };
  return (await db.accountLink.findFirst({ where, include: { team: true } })) ?? undefined;
}

/** Marks a link as used. Returns false if it does not work, for example because it was just used. */
export async function useLink(db: Db, id: string): Promise<boolean> {
  const { count } = await db.accountLink.updateMany({ where: { id, ...works() }, data: { usedAt: new Date() } });
  return count > 0;
}

/** Returns a page of the unused invitations of a team, newest first, and their total number. */
export async function listInvitations(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly invitations: readonly AccountLink[]; readonly total: number }> {
  const where = { teamId, purpose: 'invitation', usedAt: null } as const;
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const invitations = await db.accountLink.findMany({ where, orderBy, skip, take });
  return { invitations, total: await db.accountLink.count({ where }) };
}

/** Finds an unused invitation of a team. */
export async function findInvitation(db: Db, teamId: string, id: string): Promise<AccountLink | undefined> {
  return (await db.accountLink.findFirst({ where: { id, teamId, purpose: 'invitation', usedAt: null } })) ?? undefined;
}

export async function deleteLink(db: Db, id: string): Promise<void> {
  await db.accountLink.deleteMany({ where: { id } });
}

/** Deletes the unused links that reset a person's password. */
export async function deleteResetsOf(db: Db, personId: string): Promise<void> {
  await db.accountLink.deleteMany({ where: { usedAt: null, personId } });
}

/** Deletes the unused links that a person or a key pair created, and those that reset the person's password. */
export async function deleteLinksOf(db: Db, id: string): Promise<void> {
  await db.accountLink.deleteMany({ where: { usedAt: null, OR: [{ createdBy: id }, { personId: id }] } });
}

/**
 * Deletes the unused links that people created who may no longer invite: those whose own role and
 * whose groups give less than the rights of an admin.
 */
export async function deleteLinksWithoutRights(db: Db, people: readonly string[]): Promise<void> {
  await db.$executeRaw`DELETE FROM account_links AS link USING people AS person
    WHERE link.used_at IS NULL AND person.id = ANY(${[...people]}::text[])
      AND link.team_id = person.team_id AND link.created_by = person.id AND person.role < 'admin'
      AND NOT EXISTS (SELECT FROM group_members AS m JOIN groups AS g ON g.id = m.group_id
        WHERE m.person_id = person.id AND g.role >= 'admin')`;
}

/**
 * Revokes a key pair and deletes the links that it created. Returns false if no active pair has this
 * id.
 */
export async function revokePairWithLinks(db: Db, id: string): Promise<boolean> {
  if (!(await revokeKeyPair(db, id))) return false;
  await deleteLinksOf(db, id);
  return true;
}

/** Deletes links that expired a month ago. */
export async function purgeLinks(db: PrismaClient): Promise<void> {
  const before = new Date(Date.now() - KEEP_MS);
  await db.$executeRaw`DELETE FROM account_links WHERE id IN
    (SELECT id FROM account_links WHERE expires_at < ${before} LIMIT ${PURGE_ROWS})`;
}
