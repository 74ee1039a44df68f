import { groups } from '@lectern/api-spec';
import { AppError, invalidRequest, notFound, pageInfo, readPage } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Prisma } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import { lockRights } from '#identity/credential';
import {
  addMembers,
  type CountedGroup,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  listMembers,
  OWN_SOURCE,
  principalOf,
  removeMembers,
  updateGroup,
} from '#identity/group-store';
import { announcePeople } from '#identity/person-changes';
import { findPerson } from '#identity/person-store';
import { time } from '#operations/convert';
import { personRecords } from '#operations/people/mapping';
import { route } from '#pipeline/operation';

type Db = Prisma.TransactionClient;

function groupRecord(group: CountedGroup) {
  const { id, name, source, origin, role, _count, createdAt, updatedAt } = group;
  const times = { createdAt: time(createdAt), updatedAt: time(updatedAt) };
  const principal = principalOf(group);
  return { id, name, source, managedBy: origin, principal, role, memberCount: _count.members, ...times };
}

async function requireGroup(db: Db, teamId: string, id: string): Promise<CountedGroup> {
  const group = await findGroup(db, teamId, id);
  if (group === undefined) throw notFound('group', id);
  return group;
}

/** The name and the members of other groups come from the identity provider. Throws `conflict`. */
async function requireOwnGroup(db: Db, teamId: string, id: string): Promise<CountedGroup> {
  const group = await requireGroup(db, teamId, id);
  if (group.origin === 'admin') return group;
  throw new AppError('conflict', `The identity provider manages ${group.name}. Change the group there.`);
}

function requireValidName(name: string): void {
  if (principalOf({ source: OWN_SOURCE, name }) !== undefined) return;
  throw invalidRequest([{ path: 'name', message: 'is too long for a principal; use a shorter name' }]);
}

const nameTaken = (name: string) =>
  new AppError('conflict', `A group with the name ${name} exists. Choose another name.`);

const actionOn = (action: string, resourceId: string, details?: Prisma.InputJsonObject) => ({
  action,
  resourceType: 'group',
  resourceId,
  ...(details === undefined ? {} : { details }),
});

export const groupRoutes = [
  route(groups.listGroups, async ({ db }, { query }, { caller }) => {
    const paging = readPage(query);
    const found = await listGroups(db, caller.teamId, paging);
    return page(found.groups.map(groupRecord), pageInfo(paging, found.total));
  }),

  route(groups.createGroup, async (ctx, { body: { name, role } }, call) => {
    requireValidName(name);
    const { teamId } = call.caller;
    return ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const created = await createGroup(tx, { teamId, source: OWN_SOURCE, origin: 'admin', name, role });
      if (created === undefined) throw nameTaken(name);
      await recordAudit(tx, actorOf(call), actionOn('createGroup', created.id, { name, role }));
      return data(groupRecord({ ...created, _count: { members: 0 } }));
    });
  }),

  route(groups.getGroup, async ({ db }, { params: { id } }, { caller }) =>
    data(groupRecord(await requireGroup(db, caller.teamId, id))),
  ),

  route(groups.updateGroup, async (ctx, { params: { id }, body: { name, role } }, call) => {
    const { teamId } = call.caller;
    if (name !== undefined) requireValidName(name);
    const { group, members } = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const before = await (name === undefined ? requireGroup : requireOwnGroup)(tx, teamId, id);
      const changes = { ...(name === undefined ? {} : { name }), ...(role === undefined ? {} : { role }) };
      const affected = await updateGroup(tx, before, changes);
      if (affected === undefined) throw nameTaken(name ?? before.name);
      await recordAudit(tx, actorOf(call), actionOn('updateGroup', id, changes));
      return { group: await requireGroup(tx, teamId, id), members: affected };
    });
    announcePeople(ctx, teamId, members);
    return data(groupRecord(group));
  }),

  route(groups.deleteGroup, async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    const members = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const { name } = await requireGroup(tx, teamId, id);
      await recordAudit(tx, actorOf(call), actionOn('deleteGroup', id, { name }));
      return deleteGroup(tx, id);
    });
    announcePeople(ctx, teamId, members);
    return data({ id, deleted: true });
  }),

  route(groups.listGroupMembers, async ({ db }, { params: { id }, query }, { caller }) => {
    await requireGroup(db, caller.teamId, id);
    const paging = readPage(query);
    const { people, total } = await listMembers(db, id, paging);
    return page(await personRecords(db, people), pageInfo(paging, total));
  }),

  ...(
    [
      ['addGroupMember', addMembers],
      ['removeGroupMember', removeMembers],
    ] as const
  ).map(([action, change]) =>
    route(groups[action], async (ctx, { params: { id, personId } }, call) => {
      const { teamId } = call.caller;
      const group = await ctx.db.$transaction(async (tx) => {
        await lockRights(ctx, tx, call);
        const before = await requireOwnGroup(tx, teamId, id);
        if ((await findPerson(tx, teamId, personId)) === undefined) throw notFound('person', personId);
        await change(tx, before, [personId]);
        await recordAudit(tx, actorOf(call), actionOn(action, id, { personId }));
        return requireGroup(tx, teamId, id);
      });
      announcePeople(ctx, teamId, [personId]);
      return data(groupRecord(group));
    }),
  ),
];
