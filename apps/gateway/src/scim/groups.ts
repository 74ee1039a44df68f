import { notFound } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { Group, Prisma } from '#gen/prisma/client';
import { addMembers, createGroup, deleteGroup, principalOf, removeMembers, updateGroup } from '#identity/group-store';
import { announcePeople } from '#identity/person-changes';
import { lockPeople } from '#identity/person-store';
import { recordScim, type ScimCall } from '#scim/context';
import { scimError } from '#scim/errors';
import type { Comparison } from '#scim/filter';
import { applyPatch, type Fields, normalize, type Shape } from '#scim/patch';
import { parseResource, type Resources } from '#scim/resources';

type Db = Prisma.TransactionClient;

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Members of one group, and of all groups of a list. */
const MAX_MEMBERS = 10_000;

const MEMBER_PARTS = { value: 'value', type: 'type', display: 'display', $ref: '$ref' };

/** The attributes that an identity provider can change. Others are ignored. */
export const GROUP_SHAPE: Shape = {
  displayname: { name: 'displayName', kind: 'simple' },
  externalid: { name: 'externalId', kind: 'simple' },
  members: { name: 'members', kind: 'list', parts: MEMBER_PARTS },
};

const groupSchema = z.object({
  displayName: z.string().min(1).max(200),
  externalId: z.string().min(1).max(255).optional(),
  members: z
    .array(z.object({ value: z.string() }))
    .max(MAX_MEMBERS)
    .default([]),
});
type GroupFields = z.output<typeof groupSchema>;

interface Member {
  readonly groupId: string;
  readonly personId: string;
  readonly person: { readonly name: string };
}

const ofToken = ({ token: { teamId, source } }: ScimCall): Prisma.GroupWhereInput => ({
  teamId,
  source,
  origin: 'scim',
});

function conditionOf({ attribute, value }: Comparison): Prisma.GroupWhereInput {
  const conditions: Readonly<Record<string, (wanted: string) => Prisma.GroupWhereInput>> = {
    id: (id) => ({ id }),
    externalid: (externalId) => ({ externalId }),
    displayname: (name) => ({ name }),
    members: (personId) => ({ members: { some: { personId } } }),
    'members.value': (personId) => ({ members: { some: { personId } } }),
  };
  const condition = Object.hasOwn(conditions, attribute) ? conditions[attribute] : undefined;
  if (condition === undefined) throw scimError('invalidFilter', `${attribute}: cannot be used in a filter of groups.`);
  return typeof value === 'string' ? condition(value) : { id: { in: [] } };
}

const membersOf = (db: Db, groupIds: readonly string[]): Promise<Member[]> =>
  db.groupMember.findMany({
    where: { groupId: { in: [...groupIds] } },
    include: { person: { select: { name: true } } },
    orderBy: { personId: 'asc' },
  });

/** The resource as the identity provider can change it. */
function changeable({ name, externalId }: Group, members: readonly Member[]): Fields {
  return {
    displayName: name,
    ...(externalId === null ? {} : { externalId }),
    members: members.map(({ personId, person }) => ({ value: personId, display: person.name, type: 'User' })),
  };
}

function resourceOf(call: ScimCall, group: Group, members: readonly Member[] | undefined): Fields {
  const { id, createdAt, updatedAt } = group;
  const { members: values, ...fields } = changeable(group, members ?? []);
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...fields,
    ...(members === undefined ? {} : { members: values }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${call.baseUrl}/Groups/${id}`,
    },
  };
}

async function requireGroup(db: Db, call: ScimCall, id: string): Promise<Group> {
  const found = await db.group.findFirst({ where: { id, ...ofToken(call) } });
  if (found === null) throw notFound('group', id);
  return found;
}

function parseGroup({ token: { source } }: ScimCall, resource: Fields): GroupFields {
  const fields = parseResource(groupSchema, resource);
  if (principalOf({ source, name: fields.displayName }) !== undefined) return fields;
  throw scimError('invalidValue', 'displayName: is empty or too long for a principal. Use another name.');
}

/** Throws `invalidValue` if a member is unknown in the team. */
async function requireMembers(tx: Db, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await tx.person.findMany({ where: { teamId, id: { in: [...ids] } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const message = `members: no user has the id ${unknown.slice(0, 100)}. Groups cannot be members of groups.`;
  throw scimError('invalidValue', message);
}

/** Stores the members of a group. Returns the ids of the people who were added or removed. */
async function setMembers(tx: Db, group: Group, before: readonly string[], after: readonly string[]) {
  const [old, wanted] = [new Set(before), new Set(after)];
  const added = [...wanted].filter((id) => !old.has(id));
  const removed = before.filter((id) => !wanted.has(id));
  await requireMembers(tx, group.teamId, added);
  if (added.length > 0) await addMembers(tx, group, added);
  if (removed.length > 0) await removeMembers(tx, group, removed);
  return { added, removed };
}

const nameTaken = (name: string) =>
  scimError('uniqueness', `displayName: the provider already has a group with the name ${name}. Use another one.`);

/** Creates a group, or takes over the one that sign-ins created, with its role but without its members. */
async function create(tx: Db, call: ScimCall, fields: GroupFields): Promise<Group> {
  const { displayName: name, externalId = null } = fields;
  const { teamId, source } = call.token;
  const created = await createGroup(tx, { teamId, source, origin: 'scim', name, externalId });
  if (created !== undefined) return created;
  const existing = await tx.group.findFirst({ where: { teamId, source, name, origin: 'sign_in' } });
  if (existing === null) throw nameTaken(name);
  await tx.groupMember.deleteMany({ where: { groupId: existing.id } });
  return tx.group.update({ where: { id: existing.id }, data: { origin: 'scim', externalId } });
}

async function change(ctx: Context, call: ScimCall, id: string, next: (before: Fields) => Fields): Promise<Fields> {
  const { teamId } = call.token;
  const { resource, affected } = await ctx.db.$transaction(async (tx) => {
    await lockPeople(tx, teamId);
    const before = await requireGroup(tx, call, id);
    const members = await membersOf(tx, [id]);
    const fields = parseGroup(call, next(changeable(before, members)));
    const { displayName: name, externalId = null } = fields;
    const isRenamed = name !== before.name;
    if (isRenamed || externalId !== before.externalId) {
      const updated = await updateGroup(tx, before, { name, externalId });
      if (updated === undefined) throw nameTaken(name);
    }
    const ids = members.map(({ personId }) => personId);
    const wanted = fields.members.map(({ value }) => value);
    const { added, removed } = await setMembers(tx, before, ids, wanted);
    if (isRenamed || added.length + removed.length > 0) {
      const details = { ...(isRenamed ? { name } : {}), added: added.length, removed: removed.length };
      await recordScim(tx, call, { action: 'scimUpdateGroup', resourceType: 'group', resourceId: id, details });
    }
    const after = await requireGroup(tx, call, id);
    const everybody = isRenamed ? [...ids, ...added] : [...added, ...removed];
    return { resource: resourceOf(call, after, await membersOf(tx, [id])), affected: everybody };
  });
  announcePeople(ctx, teamId, affected);
  return resource;
}

/** Groups that have at most 10,000 members together, at least one of them. */
function withinLimit<G extends { readonly _count: { readonly members: number } }>(groups: readonly G[]): G[] {
  let total = 0;
  return groups.filter(({ _count }, index) => {
    total += _count.members;
    return index === 0 || total <= MAX_MEMBERS;
  });
}

export const groups: Resources = {
  list: async ({ db }, call, filter, { startIndex, count, withMembers }) => {
    const where = { AND: [ofToken(call), ...filter.map(conditionOf)] };
    const total = await db.group.count({ where });
    const page = { skip: startIndex - 1, take: count };
    const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
    const include = { _count: { select: { members: true } } };
    const found = await db.group.findMany({ where, orderBy, include, ...page });
    const listed = withMembers ? withinLimit(found) : found;
    const ids = listed.map(({ id }) => id);
    const members = withMembers ? Map.groupBy(await membersOf(db, ids), ({ groupId }) => groupId) : undefined;
    return {
      total,
      resources: listed.map((group) => resourceOf(call, group, members && (members.get(group.id) ?? []))),
    };
  },

  get: async ({ db }, call, id) => resourceOf(call, await requireGroup(db, call, id), await membersOf(db, [id])),

  create: async (ctx, call, body) => {
    const { teamId } = call.token;
    const fields = parseGroup(call, normalize(GROUP_SHAPE, body));
    const { resource, added } = await ctx.db.$transaction(async (tx) => {
      await lockPeople(tx, teamId);
      const group = await create(tx, call, fields);
      const wanted = fields.members.map(({ value }) => value);
      const { added } = await setMembers(tx, group, [], wanted);
      const details = { name: group.name, added: added.length };
      await recordScim(tx, call, { action: 'scimCreateGroup', resourceType: 'group', resourceId: group.id, details });
      return { resource: resourceOf(call, group, await membersOf(tx, [group.id])), added };
    });
    announcePeople(ctx, teamId, added);
    return resource;
  },

  replace: (ctx, call, id, body) =>
    change(ctx, call, id, ({ externalId }) => ({
      ...(externalId === undefined ? {} : { externalId }),
      ...normalize(GROUP_SHAPE, body),
    })),

  patch: (ctx, call, id, operations) => change(ctx, call, id, (before) => applyPatch(GROUP_SHAPE, before, operations)),

  remove: async (ctx, call, id) => {
    const { teamId } = call.token;
    const members = await ctx.db.$transaction(async (tx) => {
      await lockPeople(tx, teamId);
      const { name } = await requireGroup(tx, call, id);
      const details = { name };
      await recordScim(tx, call, { action: 'scimDeleteGroup', resourceType: 'group', resourceId: id, details });
      return deleteGroup(tx, id);
    });
    announcePeople(ctx, teamId, members);
  },
};
