import { people, type Role } from '@lectern/api-spec';
import { AppError, notFound, pageInfo, readPage, requireRevision } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { Person, Prisma } from '#gen/prisma/client';
import { data, page, recordData } from '#http/api-response';
import { lockRights } from '#identity/credential';
import { createLink, deleteLink, deleteLinksOf, findInvitation, listInvitations } from '#identity/link-store';
import { deletePasskeysOf } from '#identity/passkey-store';
import { findPerson, listPeople, requireOwnerLeft, updatePerson } from '#identity/person-store';
import { endSessions, listSessions } from '#identity/session-store';
import { time } from '#operations/convert';
import {
  invitationRecord,
  linkUrl,
  personRecordOf,
  personRecords,
  personRevision,
  sessionRecord,
} from '#operations/people/mapping';
import { type KeyedCall, route } from '#pipeline/operation';

const actionOn = (action: string, resourceType: 'person' | 'invitation', resourceId: string) => ({
  action,
  resourceType,
  resourceId,
});

async function requirePerson(db: Prisma.TransactionClient, teamId: string, id: string): Promise<Person> {
  const person = await findPerson(db, teamId, id);
  if (person === undefined) throw notFound('person', id);
  return person;
}

/** Only owners manage owners. A key has the rights of an admin. Throws `forbidden`. */
function requireMayManage({ key }: KeyedCall, ...roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('owner') || key.person?.role === 'owner') return;
  throw new AppError('forbidden', 'Only an owner can manage owners. Sign in as an owner.');
}

/**
 * Removes what could sign in a new owner without that person: an admin can have prepared an account
 * before it became one. A password stays, because people who were invited would have no way to sign in.
 */
async function secureNewOwner(tx: Prisma.TransactionClient, personId: string): Promise<Prisma.InputJsonObject> {
  const endedSessions = await endSessions(tx, personId);
  const removedPasskeys = await deletePasskeysOf(tx, personId);
  const where = { personId, provider: { allowsOwners: false } };
  const { count: removedIdentities } = await tx.personIdentity.deleteMany({ where });
  return { endedSessions, removedPasskeys, removedIdentities };
}

/** Drops the person's cached sessions on all replicas. */
const announce = ({ pairChanges }: Context, { teamId, id }: Person) => pairChanges.announce({ teamId, pairId: id });

export const peopleRoutes = [
  route(people.listPeople, async ({ db }, { query: { query, ...requested } }, { caller }) => {
    const paging = readPage(requested);
    const found = await listPeople(db, caller.teamId, { ...paging, query });
    return page(await personRecords(db, found.people), pageInfo(paging, found.total));
  }),

  route(people.getPerson, async ({ db }, { params: { id } }, { caller }) => {
    const person = await requirePerson(db, caller.teamId, id);
    return recordData(await personRecordOf(db, person), personRevision(person));
  }),

  route(people.updatePerson, async (ctx, { params: { id }, body: { name, role, status } }, call) => {
    const { teamId } = call.caller;
    const person = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const before = await requirePerson(tx, teamId, id);
      requireMayManage(call, before.role, role);
      requireRevision(call.ifMatch, personRevision(before));
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(role === undefined ? {} : { role }),
        ...(status === undefined ? {} : { status }),
      };
      await requireOwnerLeft(tx, before, changes);
      const after = await updatePerson(tx, id, changes);
      if (after.status === 'deactivated') await endSessions(tx, id);
      // Someone who may no longer invite must not leave links behind.
      if (after.status === 'deactivated' || after.role !== before.role) await deleteLinksOf(tx, id);
      const isNewOwner = after.role === 'owner' && before.role !== 'owner';
      const details = { ...changes, ...(isNewOwner ? await secureNewOwner(tx, id) : {}) };
      await recordAudit(tx, actorOf(call), { ...actionOn('updatePerson', 'person', id), details });
      return after;
    });
    announce(ctx, person);
    return recordData(await personRecordOf(ctx.db, person), personRevision(person));
  }),

  route(people.createPasswordReset, async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    const { link, token } = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const person = await requirePerson(tx, teamId, id);
      requireMayManage(call, person.role);
      if (person.status !== 'active') {
        throw new AppError('conflict', `${person.name} is deactivated. Activate the account first.`);
      }
      const created = await createLink(tx, teamId, { purpose: 'reset', personId: id }, call.key.pairId);
      await recordAudit(tx, actorOf(call), actionOn('createPasswordReset', 'person', id));
      return created;
    });
    const url = linkUrl(token, ctx.config.PUBLIC_URL, call);
    return data({ url, expiresAt: time(link.expiresAt) });
  }),

  route(people.listPersonSessions, async ({ db, sessionTimes }, { params: { id } }, { caller, key }) => {
    await requirePerson(db, caller.teamId, id);
    const sessions = await listSessions(db, id, sessionTimes);
    return { kind: 'data', data: sessions.map((session) => sessionRecord(session, key.person?.sessionId)) };
  }),

  route(people.endPersonSessions, async (ctx, { params: { id } }, call) => {
    const { person, ended } = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const found = await requirePerson(tx, call.caller.teamId, id);
      requireMayManage(call, found.role);
      await recordAudit(tx, actorOf(call), actionOn('endPersonSessions', 'person', id));
      return { person: found, ended: await endSessions(tx, id) };
    });
    announce(ctx, person);
    return data({ ended });
  }),

  route(people.listInvitations, async ({ db }, { query }, { caller }) => {
    const paging = readPage(query);
    const { invitations, total } = await listInvitations(db, caller.teamId, paging);
    return page(invitations.map(invitationRecord), pageInfo(paging, total));
  }),

  route(people.createInvitation, async (ctx, { body: { email, role } }, call) => {
    requireMayManage(call, role);
    const { teamId } = call.caller;
    const { link, token } = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const existing = await tx.person.findFirst({ where: { teamId, email } });
      if (existing !== null) {
        const state = existing.status === 'active' ? 'already has an account' : 'has a deactivated account';
        throw new AppError('conflict', `${email} ${state} in this team. Change that account instead.`);
      }
      const created = await createLink(tx, teamId, { purpose: 'invitation', email, role }, call.key.pairId);
      const action = actionOn('createInvitation', 'invitation', created.link.id);
      await recordAudit(tx, actorOf(call), { ...action, details: { email, role } });
      return created;
    });
    return data({ ...invitationRecord(link), url: linkUrl(token, ctx.config.PUBLIC_URL, call) });
  }),

  route(people.deleteInvitation, async (ctx, { params: { id } }, call) => {
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const invitation = await findInvitation(tx, call.caller.teamId, id);
      if (invitation === undefined) throw notFound('invitation', id);
      requireMayManage(call, invitation.role ?? undefined);
      await deleteLink(tx, id);
      await recordAudit(tx, actorOf(call), actionOn('deleteInvitation', 'invitation', id));
    });
    return data({ id, deleted: true });
  }),
];
