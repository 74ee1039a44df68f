import { account } from '@lectern/api-spec';
import { AppError, invalidRequest, notFound } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { Passkey, Person, Prisma } from '#gen/prisma/client';
import { data } from '#http/api-response';
import type { Ceremony } from '#identity/challenge-store';
import { lockRights } from '#identity/credential';
import { deleteResetsOf } from '#identity/link-store';
import { createPasskey, deletePasskey, listPasskeys, MAX_PASSKEYS } from '#identity/passkey-store';
import { registrationOptions, verifyRegistration } from '#identity/passkeys';
import { hashPassword, NO_PASSWORD } from '#identity/passwords';
import { updatePerson } from '#identity/person-store';
import { relyingParty, requireRelyingParty } from '#identity/relying-party';
import { endOtherSessions, endSessionOf, endSessions, listSessions } from '#identity/session-store';
import { sessionEnded } from '#keys/key-error';
import { languageOf, passkeyRecord } from '#operations/account/mapping';
import { time } from '#operations/convert';
import { personRecordOf, sessionRecord } from '#operations/people/mapping';
import { type KeyedCall, route } from '#pipeline/operation';

type Db = Prisma.TransactionClient;

/** A stolen session must not become a lasting way to sign in, so it has to be new. */
const CONFIRMED_MS = 15 * 60_000;

/** The ids of the session and its person. Only people may call these operations. */
function ownIds({ key }: KeyedCall) {
  if (key.person === undefined) throw new TypeError('An operation for people was called with a key.');
  return { personId: key.pairId, sessionId: key.person.sessionId };
}

interface OwnAccount {
  readonly person: Person;
  readonly passkeys: readonly Passkey[];
  readonly confirmedUntil: Date;
}

async function readAccount(db: Db, call: KeyedCall): Promise<OwnAccount> {
  const { personId, sessionId } = ownIds(call);
  const session = await db.session.findUnique({ where: { id: sessionId }, include: { person: true } });
  // Other replicas use a cached session for a few seconds after its end.
  if (session === null) throw sessionEnded();
  const { person, createdAt } = session;
  const confirmedUntil = new Date(createdAt.getTime() + CONFIRMED_MS);
  return { person, passkeys: await listPasskeys(db, personId), confirmedUntil };
}

/** Throws `forbidden` unless the person has signed in a short time ago. */
function requireConfirmed({ confirmedUntil }: OwnAccount): void {
  if (confirmedUntil.getTime() > Date.now()) return;
  throw new AppError('forbidden', 'You signed in too long ago to change how you sign in. Sign in again first.');
}

function requireRoom({ passkeys }: OwnAccount): void {
  if (passkeys.length < MAX_PASSKEYS) return;
  throw new AppError('conflict', `You have ${MAX_PASSKEYS} passkeys, which is the limit. Remove one first.`);
}

/** Locks the account and reads it, to change how its person signs in. Throws `forbidden`. */
async function lockAccount(ctx: Context, tx: Db, call: KeyedCall): Promise<OwnAccount> {
  await lockRights(ctx, tx, call);
  const own = await readAccount(tx, call);
  requireConfirmed(own);
  return own;
}

async function accountData({ config, db }: Context, { person, passkeys, confirmedUntil }: OwnAccount, call: KeyedCall) {
  return data({
    person: await personRecordOf(db, person),
    language: languageOf(person),
    hasPassword: person.passwordHash !== NO_PASSWORD,
    passkeys: passkeys.map(passkeyRecord),
    canUsePasskeys: relyingParty(config.PUBLIC_URL, call) !== undefined,
    confirmedUntil: time(confirmedUntil),
  });
}

const addCeremony = (call: KeyedCall): Ceremony => ({ purpose: 'add', subject: ownIds(call).sessionId });

const auditOwn = (tx: Db, call: KeyedCall, action: string, details: Prisma.InputJsonObject = {}) =>
  recordAudit(tx, actorOf(call), { action, resourceType: 'person', resourceId: ownIds(call).personId, details });

/** Drops the cached sessions of the caller on all replicas. */
const announce = ({ pairChanges }: Context, { caller, key }: KeyedCall) =>
  pairChanges.announce({ teamId: caller.teamId, pairId: key.pairId });

export const accountRoutes = [
  route(account.getAccount, async (ctx, _input, call) => accountData(ctx, await readAccount(ctx.db, call), call)),

  route(account.updateAccount, async (ctx, { body: { name, language } }, call) => {
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(language === undefined ? {} : { language }),
    };
    const own = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      await updatePerson(tx, ownIds(call).personId, changes);
      await auditOwn(tx, call, 'updateAccount', changes);
      return readAccount(tx, call);
    });
    announce(ctx, call);
    return accountData(ctx, own, call);
  }),

  route(account.addPassword, async (ctx, { body: { password } }, call) => {
    requireConfirmed(await readAccount(ctx.db, call));
    const passwordHash = await hashPassword(password);
    const { personId, sessionId } = ownIds(call);
    const own = await ctx.db.$transaction(async (tx) => {
      const { person } = await lockAccount(ctx, tx, call);
      if (person.passwordHash !== NO_PASSWORD) {
        throw new AppError('conflict', 'You have a password. Change it with the current one.');
      }
      await updatePerson(tx, personId, { passwordHash });
      await endOtherSessions(tx, personId, sessionId);
      await deleteResetsOf(tx, personId);
      await auditOwn(tx, call, 'addPassword');
      return readAccount(tx, call);
    });
    announce(ctx, call);
    return accountData(ctx, own, call);
  }),

  route(account.startPasskey, async (ctx, _input, call) => {
    const rp = requireRelyingParty(ctx.config.PUBLIC_URL, call);
    const own = await readAccount(ctx.db, call);
    requireConfirmed(own);
    requireRoom(own);
    return data({ options: await registrationOptions(ctx.db, rp, addCeremony(call), own.person, own.passkeys) });
  }),

  route(account.addPasskey, async (ctx, { body }, call) => {
    const rp = requireRelyingParty(ctx.config.PUBLIC_URL, call);
    const verified = await verifyRegistration(ctx.db, rp, addCeremony(call), body);
    if (verified === undefined) {
      const message = 'is invalid or took longer than 5 minutes; create the passkey again';
      throw invalidRequest([{ path: 'attestationObject', message }]);
    }
    const created = await ctx.db.$transaction(async (tx) => {
      requireRoom(await lockAccount(ctx, tx, call));
      const passkey = await createPasskey(tx, ownIds(call).personId, verified);
      if (passkey === undefined) throw new AppError('conflict', 'This passkey was already added. Create another one.');
      await auditOwn(tx, call, 'addPasskey', { passkey: passkey.name });
      return passkey;
    });
    return data(passkeyRecord(created));
  }),

  route(account.deletePasskey, async (ctx, { params: { id } }, call) => {
    await ctx.db.$transaction(async (tx) => {
      const { person, passkeys } = await lockAccount(ctx, tx, call);
      const passkey = passkeys.find((own) => own.id === id);
      if (passkey === undefined) throw notFound('passkey', id);
      const usable = person.role === 'owner' ? { provider: { allowsOwners: true } } : {};
      const hasProvider = (await tx.personIdentity.count({ where: { personId: person.id, ...usable } })) > 0;
      if (passkeys.length === 1 && person.passwordHash === NO_PASSWORD && !hasProvider) {
        throw new AppError(
          'conflict',
          'This passkey is your only way to sign in. Add a password or another passkey first.',
        );
      }
      await deletePasskey(tx, id);
      await auditOwn(tx, call, 'deletePasskey', { passkey: passkey.name });
    });
    return data({ id, deleted: true });
  }),

  route(account.listOwnSessions, async ({ db, sessionTimes }, _input, call) => {
    const { personId, sessionId } = ownIds(call);
    const sessions = await listSessions(db, personId, sessionTimes);
    return { kind: 'data', data: sessions.map((session) => sessionRecord(session, sessionId)) };
  }),

  route(account.endOwnSession, async (ctx, { params: { id } }, call) => {
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      if (!(await endSessionOf(tx, ownIds(call).personId, id))) throw notFound('session', id);
      await auditOwn(tx, call, 'endOwnSession');
    });
    announce(ctx, call);
    return data({ id, deleted: true });
  }),

  route(account.endOwnSessions, async (ctx, _input, call) => {
    const ended = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      await auditOwn(tx, call, 'endOwnSessions');
      return endSessions(tx, ownIds(call).personId);
    });
    announce(ctx, call);
    return data({ ended });
  }),
];
