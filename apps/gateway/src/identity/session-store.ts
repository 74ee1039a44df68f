import { newId, type Sealed } from '@lectern/service-kit';
import type { IdentityProvider, Person, Prisma, PrismaClient, Session } from '#gen/prisma/client';
import { deleteGrantsOf } from '#identity/app-grant-store';
import { keyOf } from '#identity/person-key';
import { hashKey, newKey } from '#keys/format';
import type { StoredKey } from '#keys/key-store';
import { BATCH, inBatches } from '#retention/in-batches';

type Db = Prisma.TransactionClient;

const MINUTE_MS = 60_000;

/** How long sessions last, in minutes. */
export interface SessionTimes {
  /** Without a request. */
  readonly idleMinutes: number;
  readonly maxMinutes: number;
}

/** The browser that signs in. */
export interface SessionOrigin {
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** The identity provider that signs a person in. */
export interface ProviderSession extends Partial<Sealed> {
  readonly providerId: string;
  readonly subject: string;
  readonly providerSessionId: string | null;
}

/** Creates a session and returns its token, which only the cookie contains. */
export async function createSession(
  db: Db,
  personId: string,
  { maxMinutes }: SessionTimes,
  { address, userAgent }: SessionOrigin,
  provider: Partial<ProviderSession> = {},
): Promise<string> {
  const token = newKey('session');
  const now = new Date();
  await db.session.create({
    data: {
      id: newId('session'),
      tokenHash: hashKey(token),
      personId,
      address,
      userAgent: userAgent ?? null,
      expiresAt: new Date(now.getTime() + maxMinutes * MINUTE_MS),
      ...provider,
    },
  });
  await db.person.update({ where: { id: personId }, data: { lastSignInAt: now } });
  return token;
}

/** When a session ends if it is not used again. */
function endOf({ lastSeenAt, expiresAt }: Session, { idleMinutes }: SessionTimes): Date {
  return new Date(Math.min(expiresAt.getTime(), lastSeenAt.getTime() + idleMinutes * MINUTE_MS));
}

/** Finds the session of an active person by the SHA-256 of its token. */
export async function findSession(
  db: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
  times: SessionTimes,
): Promise<StoredKey | undefined> {
  const session = await db.session.findUnique({ where: { tokenHash }, include: { person: true } });
  if (session === null || session.person.status !== 'active') return undefined;
  return keyOf(db, session.person, { id: session.id, endsAt: endOf(session, times) });
}

/** Ends the session with this token. Returns its person, or undefined if there is none. */
export async function endSession(db: Db, token: string): Promise<Person | undefined> {
  const tokenHash = hashKey(token);
  const session = await db.session.findUnique({ where: { tokenHash }, include: { person: true } });
  if (session === null) return undefined;
  await db.session.deleteMany({ where: { tokenHash } });
  return session.person;
}

/** Ends all sessions of a person, and the access of connected apps. Returns the number of sessions. */
export async function endSessions(db: Db, personId: string): Promise<number> {
  await deleteGrantsOf(db, [personId]);
  const { count } = await db.session.deleteMany({ where: { personId } });
  return count;
}

/** Finds the session with this token, and the identity provider that started it. */
export const findProviderSession = (
  db: Db,
  token: string,
): Promise<(Session & { readonly provider: IdentityProvider | null }) | null> =>
  db.session.findUnique({ where: { tokenHash: hashKey(token) }, include: { provider: true } });

/**
 * Ends the sessions that a provider started: one of its sessions, or all of a person, with the access of
 * connected apps. Returns the number of sessions and whose they were.
 */
export async function endProviderSessions(
  db: Db,
  providerId: string,
  { subject, sessionId }: { readonly subject?: string | undefined; readonly sessionId?: string | undefined },
): Promise<{ readonly ended: number; readonly personIds: readonly string[] }> {
  const where = {
    providerId,
    ...(subject === undefined ? {} : { subject }),
    ...(sessionId === undefined ? {} : { providerSessionId: sessionId }),
  };
  const sessions = await db.session.findMany({ where, distinct: ['personId'], select: { personId: true } });
  const { count } = await db.session.deleteMany({ where });
  const signedOut = sessions.map(({ personId }) => personId);
  if (subject === undefined || sessionId !== undefined) return { ended: count, personIds: signedOut };
  // Without a session, the provider signs the person out everywhere.
  const people = await db.personIdentity.findMany({ where: { providerId, subject }, select: { personId: true } });
  const everywhere = people.map(({ personId }) => personId);
  await deleteGrantsOf(db, everywhere);
  return { ended: count, personIds: [...new Set([...signedOut, ...everywhere])] };
}

/** Ends one session of a person. Returns false if the person has no such session. */
export async function endSessionOf(db: Db, personId: string, id: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id, personId } });
  return count > 0;
}

/** Ends all sessions of a person except this one. */
export async function endOtherSessions(db: Db, personId: string, id: string): Promise<void> {
  await db.session.deleteMany({ where: { personId, id: { not: id } } });
}

/** Returns the sessions of a person that have not ended, the last used first. */
export async function listSessions(db: Db, personId: string, times: SessionTimes): Promise<readonly Session[]> {
  const sessions = await db.session.findMany({ where: { personId }, orderBy: { lastSeenAt: 'desc' } });
  return sessions.filter((session) => endOf(session, times).getTime() > Date.now());
}

/** Stores the last use of sessions. */
export const storeSessionUses = (db: PrismaClient) => (ids: readonly string[], times: readonly Date[]) =>
  db.$executeRaw`UPDATE sessions AS session SET last_seen_at = used.at
    FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS used(id, at)
    WHERE session.id = used.id AND session.last_seen_at < used.at`;

/** Deletes ended sessions. */
export async function purgeSessions(
  db: PrismaClient,
  { idleMinutes }: SessionTimes,
  signal?: AbortSignal,
): Promise<void> {
  const unusedSince = new Date(Date.now() - idleMinutes * MINUTE_MS);
  await inBatches(
    () => db.$executeRaw`DELETE FROM sessions WHERE id IN
    (SELECT id FROM sessions WHERE expires_at < now() OR last_seen_at < ${unusedSince} LIMIT ${BATCH})`,
    signal,
  );
}
