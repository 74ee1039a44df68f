import { createHash } from 'node:crypto';
import { sessions } from '@lectern/api-spec';
import { AppError, createCounter, idOf, invalidRequest } from '@lectern/service-kit';
import { type Action, recordAudit } from '#audit/record-audit';
import { readBranding } from '#branding/branding-store';
import type { Context } from '#context';
import type { AccountLink, Person, Prisma } from '#gen/prisma/client';
import { type ApiResponse, data } from '#http/api-response';
import { type Ceremony, CHALLENGE_MS } from '#identity/challenge-store';
import { deleteResetsOf, findLink, useLink } from '#identity/link-store';
import { providerSignOutUrl } from '#identity/oidc/sign-out';
import { createPasskey, deletePasskeysOf, findByCredential, notePasskeyUse } from '#identity/passkey-store';
import {
  type Assertion,
  authenticationOptions,
  type Registration,
  registrationOptions,
  verifyAssertion,
  verifyRegistration,
} from '#identity/passkeys';
import { hashPassword, NO_PASSWORD, verifyPassword } from '#identity/passwords';
import { createPerson, findByEmail, lockAccount, lockActive, lockPeople, updatePerson } from '#identity/person-store';
import { relyingParty, requireRelyingParty } from '#identity/relying-party';
import {
  ceremonyCookie,
  clearedCookie,
  readCeremonyCookie,
  readSessionCookie,
  sessionCookie,
} from '#identity/session-cookie';
import {
  createSession,
  endSession,
  endSessions,
  findProviderSession,
  type ProviderSession,
} from '#identity/session-store';
import { hashKey, newKey } from '#keys/format';
import { clientNetwork } from '#limits/client-ip';
import { brandingRecord } from '#operations/branding/mapping';
import { time } from '#operations/convert';
import { personRecordOf } from '#operations/people/mapping';
import { type OpenCall, openRoute } from '#pipeline/operation';

type Db = Prisma.TransactionClient;

const signInAttempts = createCounter(
  'lectern_sign_in_attempts',
  'Checked passwords and passkeys, by outcome: right or wrong. Attempts beyond the limits are not checked',
);

const wrongPassword = () => new AppError('unauthorized', 'The email address or the password is wrong.');

/** The same for every passkey, so that it does not reveal which credentials exist. */
const wrongPasskey = () =>
  new AppError(
    'unauthorized',
    'The passkey was not accepted. Try again, use another way to sign in, or ask an admin of your team for a link.',
  );

const unusableLink = () =>
  invalidRequest([{ path: 'token', message: 'is unknown, used or expired; ask an admin of your team for a new link' }]);

const invalidPasskey = () =>
  invalidRequest([{ path: 'passkey', message: 'is invalid or took longer than 5 minutes; create it again' }]);

/** How many times more attempts an account has from all networks together than from one. */
const NETWORKS_PER_ACCOUNT = 20;

const tooManyAttempts = (retryAfter: number) =>
  new AppError('rate_limited', `Too many attempts to sign in to this account. Retry after ${retryAfter} s.`, {
    details: { retryAfter },
  });

/**
 * Counts an attempt for one account: strictly for the client's network, so that other clients cannot
 * keep a person out, and more generously for all networks and replicas together. Returns a function that
 * gives back the attempt of the network, because it succeeded. Throws `rate_limited`.
 */
async function limitAccount(ctx: Context, email: string, address: string): Promise<() => void> {
  const { limiter, config, accountSignIns, signIns } = ctx;
  const network = clientNetwork(address);
  const account = createHash('sha256').update(email).digest('base64url');
  const name = `${account} ${network}`;
  const fullUntil = accountSignIns.fullUntil(name);
  if (fullUntil !== undefined) throw tooManyAttempts(Math.max(1, Math.ceil((fullUntil - Date.now()) / 1000)));
  accountSignIns.add(name);
  const perNetwork = Math.floor(config.RATE_LIMIT_SIGN_INS_PER_MINUTE / 2);
  const { admitted, retryAfter } = await limiter.take(`a:${account}`, perNetwork * NETWORKS_PER_ACCOUNT);
  if (!admitted) throw tooManyAttempts(retryAfter);
  return () => {
    accountSignIns.giveBack(name);
    signIns.giveBack(network);
  };
}

/** Returns the active person with this address and password. Throws `unauthorized` and `rate_limited`. */
async function authenticatePerson(
  ctx: Context,
  { email, password }: { readonly email: string; readonly password: string },
  { client }: OpenCall,
): Promise<Person> {
  const giveBack = await limitAccount(ctx, email, client.address);
  const person = await findByEmail(ctx.db, email);
  const isRight = await verifyPassword(password, person?.passwordHash);
  const outcome = isRight && person !== undefined ? 'right' : 'wrong';
  signInAttempts.add(1, { outcome });
  if (person !== undefined && !isRight) ctx.failedSignIns.note({ person, ...client });
  if (!isRight || person === undefined) throw wrongPassword();
  giveBack();
  return person;
}

/** Challenges to sign in belong to the browser that asked for them. */
const signInCeremony = (token: string): Ceremony => ({
  purpose: 'signIn',
  subject: hashKey(token).toString('base64url'),
});

/** Returns the person of a passkey, and what to do in the transaction of the new session. Throws `unauthorized`. */
async function authenticatePasskey(ctx: Context, assertion: Assertion, call: OpenCall) {
  const rp = requireRelyingParty(ctx.config.PUBLIC_URL, call);
  const browser = readCeremonyCookie(call.headers, call.client.isSecure);
  const passkey = await findByCredential(ctx.db, new Uint8Array(Buffer.from(assertion.credentialId, 'base64url')));
  const giveBack = await limitAccount(ctx, passkey?.person.email ?? assertion.credentialId, call.client.address);
  const ceremony = signInCeremony(browser ?? newKey('ceremony'));
  const counter = await verifyAssertion(ctx.db, rp, ceremony, assertion, passkey);
  const isRight = passkey?.person.status === 'active' && counter !== undefined;
  signInAttempts.add(1, { outcome: isRight ? 'right' : 'wrong' });
  if (passkey !== undefined && !isRight) ctx.failedSignIns.note({ person: passkey.person, ...call.client });
  if (!isRight) throw wrongPasskey();
  giveBack();
  const use = async (tx: Db) => {
    const isUsable = (await lockActive(tx, passkey.personId)) && (await notePasskeyUse(tx, passkey, counter));
    if (!isUsable) throw wrongPasskey();
  };
  return { passkey, use };
}

/** The part of a request that a session depends on. */
export type SessionCall = Pick<OpenCall, 'client' | 'headers' | 'requestId'>;

export const actorOf = (
  { client, requestId }: Pick<SessionCall, 'client' | 'requestId'>,
  { teamId, email }: Person,
) => ({
  teamId,
  keyId: undefined,
  userEmail: email,
  origin: client.address,
  userAgent: client.userAgent,
  requestId,
});

/**
 * Starts a new session and ends the one that the browser had. The new token is never one that the
 * browser sent, so an attacker cannot plant it.
 */
export async function startSession(
  ctx: Pick<Context, 'sessionTimes'>,
  tx: Db,
  call: SessionCall,
  person: Person,
  action: Pick<Action, 'action' | 'details'>,
  provider?: ProviderSession,
): Promise<string> {
  const previous = readSessionCookie(call.headers, call.client.isSecure);
  if (previous !== undefined) await endSession(tx, previous);
  await recordAudit(tx, actorOf(call, person), { ...action, resourceType: 'person', resourceId: person.id });
  return createSession(tx, person.id, ctx.sessionTimes, call.client, provider);
}

/** The response with the cookie of a new session. */
async function signedIn(ctx: Context, call: OpenCall, person: Person, token: string): Promise<ApiResponse> {
  ctx.pairChanges.announce({ teamId: person.teamId, pairId: person.id });
  const current = await ctx.db.person.findUniqueOrThrow({ where: { id: person.id }, include: { team: true } });
  const record = { person: await personRecordOf(ctx.db, current), teamId: current.teamId, teamName: current.team.name };
  const cookie = sessionCookie(token, ctx.sessionTimes.maxMinutes, call.client.isSecure);
  return data(record, { 'Set-Cookie': cookie });
}

interface AccountFields {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** The fields of a new account. Throws `invalid_request` if one is missing. */
function accountOf({ email: invited }: AccountLink, body: AccountFields) {
  const { name } = body;
  const email = invited ?? body.email;
  if (name !== undefined && email !== undefined) return { name, email };
  const missing = { path: name === undefined ? 'name' : 'email', message: 'is required for a new account' };
  throw invalidRequest([missing]);
}

/** How the person of a link signs in from now on. */
interface SignInWay {
  readonly passwordHash: string;
  readonly addTo: (tx: Db, personId: string) => Promise<void>;
}

const linkCeremony = ({ id }: AccountLink): Ceremony => ({ purpose: 'link', subject: id });

/**
 * The person of a link. A new one gets the id of the link, so that a passkey can name the person before
 * the account exists.
 */
const personIdOf = ({ id, personId }: AccountLink): string =>
  personId ?? idOf('person', id.slice(id.indexOf('_') + 1)) ?? id;

/** Checks the password or the passkey in a body. Throws `invalid_request`. */
async function signInWayOf(
  ctx: Context,
  link: AccountLink,
  { password, passkey }: { readonly password?: string | undefined; readonly passkey?: Registration | undefined },
  call: OpenCall,
): Promise<SignInWay> {
  if ((password === undefined) === (passkey === undefined)) {
    throw invalidRequest([{ path: 'password', message: 'is required, unless there is a passkey; send one of them' }]);
  }
  if (passkey === undefined) return { passwordHash: await hashPassword(password ?? ''), addTo: async () => undefined };
  const rp = requireRelyingParty(ctx.config.PUBLIC_URL, call);
  const created = await verifyRegistration(ctx.db, rp, linkCeremony(link), passkey);
  if (created === undefined) throw invalidPasskey();
  const addTo = async (tx: Db, personId: string) => {
    if ((await createPasskey(tx, personId, created)) === undefined) throw invalidPasskey();
  };
  return { passwordHash: NO_PASSWORD, addTo };
}

/** Creates the account of a link. Throws `conflict` if the address has one. */
async function createAccount(
  tx: Db,
  link: AccountLink,
  account: { readonly name: string; readonly email: string },
  passwordHash: string,
): Promise<Person> {
  const { teamId, role } = link;
  if (role === null) throw unusableLink();
  const person = await createPerson(tx, { id: personIdOf(link), teamId, role, passwordHash, ...account });
  if (person !== undefined) return person;
  // The account can belong to another team, whose people this one must not learn about.
  throw new AppError(
    'conflict',
    'An account with this address cannot be created. If you have one, sign in. Otherwise ask the operator of this installation.',
  );
}

/** Sets a new password, and ends all sessions and other resets. Throws `invalid_request` if the account is deactivated. */
async function resetPassword(tx: Db, id: string, passwordHash: string): Promise<Person> {
  const person = await tx.person.findFirst({ where: { id, status: 'active' } });
  if (person === null) throw unusableLink();
  const changed = await updatePerson(tx, id, { passwordHash });
  await endSessions(tx, id);
  await deleteResetsOf(tx, id);
  return changed;
}

/** Returns what a link does. Throws `invalid_request` if a field is missing. */
function changeOf(link: AccountLink, body: AccountFields, way: SignInWay): (tx: Db) => Promise<Person> {
  const { personId } = link;
  const account = personId === null ? accountOf(link, body) : undefined;
  return async (tx) => {
    if (account !== undefined) {
      const created = await createAccount(tx, link, account, way.passwordHash);
      await way.addTo(tx, created.id);
      return created;
    }
    const changed = await resetPassword(tx, personIdOf(link), way.passwordHash);
    // Whoever has the lost device must not be able to sign in with it.
    await deletePasskeysOf(tx, changed.id);
    await way.addTo(tx, changed.id);
    return changed;
  };
}

export const sessionRoutes = [
  openRoute(sessions.signIn, async (ctx, { body }, call) => {
    const person = await authenticatePerson(ctx, body, call);
    const token = await ctx.db.$transaction(async (tx) => {
      if (!(await lockAccount(tx, person))) throw wrongPassword();
      return startSession(ctx, tx, call, person, { action: 'signIn' });
    });
    return signedIn(ctx, call, person, token);
  }),

  openRoute(sessions.startPasskeySignIn, async (ctx, _input, call) => {
    const rp = requireRelyingParty(ctx.config.PUBLIC_URL, call);
    const { isSecure } = call.client;
    // Several tabs of a browser share the cookie.
    const browser = readCeremonyCookie(call.headers, isSecure) ?? newKey('ceremony');
    const options = await authenticationOptions(ctx.db, rp, signInCeremony(browser));
    return data({ options }, { 'Set-Cookie': ceremonyCookie(browser, CHALLENGE_MS / 1000, isSecure) });
  }),

  openRoute(sessions.signInWithPasskey, async (ctx, { body }, call) => {
    const { passkey, use } = await authenticatePasskey(ctx, body, call);
    const { person } = passkey;
    const token = await ctx.db.$transaction(async (tx) => {
      await use(tx);
      return startSession(ctx, tx, call, person, { action: 'signIn', details: { passkey: passkey.name } });
    });
    return signedIn(ctx, call, person, token);
  }),

  openRoute(sessions.signOut, async (ctx, _input, call) => {
    const { db, pairChanges, unknownKeys } = ctx;
    const { headers, client } = call;
    const token = readSessionCookie(headers, client.isSecure);
    const session = token === undefined ? null : await findProviderSession(db, token);
    const person = token === undefined ? undefined : await endSession(db, token);
    // Only invented sessions count, as with keys.
    if (token === undefined || person !== undefined) unknownKeys.giveBack(clientNetwork(client.address));
    if (person !== undefined) pairChanges.announce({ teamId: person.teamId, pairId: person.id });
    const providerUrl = await providerSignOutUrl(ctx, session, call);
    return data({ signedOut: person !== undefined, providerUrl }, { 'Set-Cookie': clearedCookie(client.isSecure) });
  }),

  openRoute(sessions.changePassword, async (ctx, { body }, call) => {
    const person = await authenticatePerson(ctx, body, call);
    const passwordHash = await hashPassword(body.newPassword);
    const token = await ctx.db.$transaction(async (tx) => {
      await lockPeople(tx, person.teamId);
      if (!(await lockAccount(tx, person))) throw wrongPassword();
      await resetPassword(tx, person.id, passwordHash);
      return startSession(ctx, tx, call, person, { action: 'changePassword' });
    });
    return signedIn(ctx, call, person, token);
  }),

  openRoute(sessions.openAccountLink, async ({ db, config }, { body: { token } }, call) => {
    const link = await findLink(db, token);
    if (link === undefined) throw unusableLink();
    const { purpose, team, expiresAt, personId } = link;
    const person = personId === null ? undefined : await db.person.findUnique({ where: { id: personId } });
    const email = link.email ?? person?.email ?? null;
    const canUsePasskeys = relyingParty(config.PUBLIC_URL, call) !== undefined;
    const branding = brandingRecord(await readBranding(db, team.id));
    return data({ purpose, email, teamName: team.name, branding, canUsePasskeys, expiresAt: time(expiresAt) });
  }),

  openRoute(sessions.startLinkPasskey, async (ctx, { body: { token, ...body } }, call) => {
    const rp = requireRelyingParty(ctx.config.PUBLIC_URL, call);
    const link = await findLink(ctx.db, token);
    if (link === undefined) throw unusableLink();
    const { personId } = link;
    const known = personId === null ? undefined : await ctx.db.person.findUnique({ where: { id: personId } });
    const owner = { id: personIdOf(link), ...(known ?? accountOf(link, body)) };
    return data({ options: await registrationOptions(ctx.db, rp, linkCeremony(link), owner, []) });
  }),

  openRoute(sessions.useAccountLink, async (ctx, { body: { token: linkToken, password, passkey, ...body } }, call) => {
    const link = await findLink(ctx.db, linkToken);
    if (link === undefined) throw unusableLink();
    const apply = changeOf(link, body, await signInWayOf(ctx, link, { password, passkey }, call));
    const { person, token } = await ctx.db.$transaction(async (tx) => {
      await lockPeople(tx, link.teamId);
      if (!(await useLink(tx, link.id))) throw unusableLink();
      const changed = await apply(tx);
      // The event names who could have used the link instead of the person.
      const { purpose, createdBy } = link;
      const details = { purpose, createdBy, ...(passkey === undefined ? {} : { passkey: passkey.name }) };
      const action = { action: 'useAccountLink', details };
      return { person: changed, token: await startSession(ctx, tx, call, changed, action) };
    });
    return signedIn(ctx, call, person, token);
  }),
];
