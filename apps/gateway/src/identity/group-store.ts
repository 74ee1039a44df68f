import { hasRole, type Role } from '@lectern/api-spec';
import { encodeGroupName, toPrincipal } from '@lectern/contracts';
import { AppError, newId } from '@lectern/service-kit';
import type { Group, GroupOrigin, Person, Prisma } from '#gen/prisma/client';
import { deleteLinksWithoutRights } from '#identity/link-store';
import { lockPeople } from '#identity/person-store';

type Db = Prisma.TransactionClient;

/** The source of groups that admins create. No identity provider may have this short name. */
export const OWN_SOURCE = 'lectern';

/** Groups of one team. */
const MAX_GROUPS = 10_000;
/** Groups whose principals count for one person, and their size: each call between services has them. */
const MAX_PRINCIPALS = 200;
const MAX_PRINCIPAL_BYTES = 12 * 1024;

/** What the groups of a person give. */
export interface PersonGroups {
  /** At most 200, in alphabetical order. */
  readonly principals: readonly string[];
  /** The highest role of the groups. */
  readonly role: Role | undefined;
}

const NO_GROUPS: PersonGroups = { principals: [], role: undefined };

/** A group with the number of its members. */
export type CountedGroup = Group & { readonly _count: { readonly members: number } };

/** Returns the principal of a group. Returns undefined if the name is empty or too long. */
export function principalOf({ source, name }: Pick<Group, 'source' | 'name'>): string | undefined {
  return name.trim() === '' ? undefined : toPrincipal(`group:${source}/${encodeGroupName(name)}`);
}

function bounded(principals: readonly string[]): readonly string[] {
  let bytes = 0;
  return principals.slice(0, MAX_PRINCIPALS).filter((principal) => {
    bytes += Buffer.byteLength(principal);
    return bytes <= MAX_PRINCIPAL_BYTES;
  });
}

/** Returns the groups of people by their ids. */
export async function groupsOf(db: Db, ids: readonly string[]): Promise<(id: string) => PersonGroups> {
  const rows = await db.$queryRaw<{ id: string; role: Role | null; groups: { source: string; name: string }[] }[]>`
    SELECT m.person_id AS id, max(g.role)::text AS role,
      to_json((array_agg(json_build_object('source', g.source, 'name', g.name)
        ORDER BY g.source COLLATE "C", g.name COLLATE "C"))[1:${MAX_PRINCIPALS}::int]) AS groups
    FROM group_members AS m JOIN groups AS g ON g.id = m.group_id
    WHERE m.person_id = ANY(${[...ids]}::text[]) GROUP BY m.person_id`;
  const byId = new Map(
    rows.map(({ id, role, groups }) => {
      const principals = groups.map(principalOf).filter((principal) => principal !== undefined);
      return [id, { principals: bounded(principals), role: role ?? undefined }] as const;
    }),
  );
  return (id) => byId.get(id) ?? NO_GROUPS;
}

/** Returns the role of a person: the person's own role, or a higher one of a group. */
export const effectiveRole = (own: Role, { role }: PersonGroups): Role =>
  role === undefined || hasRole(own, role) ? own : role;

/** Returns a page of the groups of a team by source and name, and their total number. */
export async function listGroups(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly groups: readonly CountedGroup[]; readonly total: number }> {
  const where = { teamId };
  const orderBy = [{ source: 'asc' as const }, { name: 'asc' as const }];
  const include = { _count: { select: { members: true } } };
  const groups = await db.group.findMany({ where, orderBy, include, skip, take });
  return { groups, total: await db.group.count({ where }) };
}

/** Finds a group of a team. */
export async function findGroup(db: Db, teamId: string, id: string): Promise<CountedGroup | undefined> {
  const include = { _count: { select: { members: true } } };
  return (await db.group.findFirst({ where: { id, teamId }, include })) ?? undefined;
}

/** Returns a page of the members of a group by name, and their total number. */
export async function listMembers(
  db: Db,
  groupId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly people: readonly Person[]; readonly total: number }> {
  const where = { groups: { some: { groupId } } };
  const people = await db.person.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }], skip, take });
  return { people, total: await db.person.count({ where }) };
}

/** A new group, or the changes of one. */
export interface GroupFields {
  readonly name?: string;
  readonly externalId?: string | null;
  readonly role?: Role | null;
}

type NewGroup = GroupFields & Pick<Group, 'teamId' | 'source' | 'origin' | 'name'>;

/** Creates a group. Returns undefined if the source has one of this name. Throws `conflict` at the limit. */
export async function createGroup(tx: Db, group: NewGroup): Promise<Group | undefined> {
  if ((await tx.group.count({ where: { teamId: group.teamId } })) >= MAX_GROUPS) {
    throw new AppError('conflict', `The team has ${MAX_GROUPS} groups, which is the limit. Delete groups first.`);
  }
  const [created] = await tx.group.createManyAndReturn({
    data: [{ id: newId('group'), ...group }],
    skipDuplicates: true,
  });
  return created;
}

const memberIds = async (tx: Db, groupId: string): Promise<string[]> => {
  const members = await tx.groupMember.findMany({ where: { groupId }, select: { personId: true } });
  return members.map(({ personId }) => personId);
};

/**
 * Changes a group. Returns the ids of its members, whose rights can be different now. Returns undefined
 * if the source has another group of this name.
 */
export async function updateGroup(
  tx: Db,
  { id, teamId, source, name }: Group,
  changes: GroupFields,
): Promise<readonly string[] | undefined> {
  if (changes.name !== undefined && changes.name !== name) {
    const other = await tx.group.findFirst({ where: { teamId, source, name: changes.name } });
    if (other !== null) return undefined;
  }
  await tx.group.update({ where: { id }, data: changes });
  const members = await memberIds(tx, id);
  await deleteLinksWithoutRights(tx, members);
  return members;
}

/** Deletes a group. Returns the ids of its former members. */
export async function deleteGroup(tx: Db, id: string): Promise<readonly string[]> {
  const members = await memberIds(tx, id);
  await tx.group.delete({ where: { id } });
  await deleteLinksWithoutRights(tx, members);
  return members;
}

/** Adds people of the team to a group. Ignores people of other teams. */
export async function addMembers(tx: Db, { id, teamId }: Pick<Group, 'id' | 'teamId'>, people: readonly string[]) {
  await tx.$executeRaw`INSERT INTO group_members (group_id, person_id)
    SELECT ${id}, id FROM people WHERE team_id = ${teamId} AND id = ANY(${[...people]}::text[])
    ON CONFLICT DO NOTHING`;
  await tx.group.update({ where: { id }, data: { updatedAt: new Date() } });
}

/** Removes people from a group. */
export async function removeMembers(tx: Db, { id }: Pick<Group, 'id'>, people: readonly string[]): Promise<void> {
  await tx.groupMember.deleteMany({ where: { groupId: id, personId: { in: [...people] } } });
  await tx.group.update({ where: { id }, data: { updatedAt: new Date() } });
  await deleteLinksWithoutRights(tx, people);
}

/**
 * Replaces the groups of a person that sign-ins with one identity provider manage. Creates groups that
 * do not exist yet. Ignores groups that are not managed by sign-ins, names that are too long, and names past
 * the limit. Announce the person after the transaction.
 */
export async function replaceSignInGroups(
  tx: Db,
  { id: personId, teamId }: Pick<Person, 'id' | 'teamId'>,
  source: string,
  names: readonly string[],
): Promise<void> {
  await lockPeople(tx, teamId);
  const valid = names.filter((name) => principalOf({ source, name }) !== undefined);
  const claimed = [...new Set(valid)].sort().slice(0, MAX_PRINCIPALS);
  const origin: GroupOrigin = 'sign_in';
  const ofSource = { teamId, source };
  const existing = await tx.group.findMany({ where: { ...ofSource, name: { in: claimed } }, select: { name: true } });
  const known = new Set(existing.map(({ name }) => name));
  const free = MAX_GROUPS - (await tx.group.count({ where: { teamId } }));
  const missing = claimed.filter((name) => !known.has(name)).slice(0, Math.max(0, free));
  await tx.group.createMany({ data: missing.map((name) => ({ id: newId('group'), ...ofSource, origin, name })) });
  await tx.groupMember.deleteMany({
    where: { personId, group: { ...ofSource, origin, name: { notIn: claimed } } },
  });
  await tx.$executeRaw`INSERT INTO group_members (group_id, person_id)
    SELECT id, ${personId} FROM groups
    WHERE team_id = ${teamId} AND source = ${source} AND origin = 'sign_in' AND name = ANY(${claimed}::text[])
    ON CONFLICT DO NOTHING`;
  await deleteLinksWithoutRights(tx, [personId]);
}
