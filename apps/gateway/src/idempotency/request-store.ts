import { newSeed } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';

type Bytes = Uint8Array<ArrayBuffer>;

/** For how long the first answer is given again. */
const KEPT_MS = 86_400_000;
/** A holder that has not renewed by then is taken for dead. */
export const LOCK_MS = 30_000;
const PURGE_ROWS = 10_000;

/** What is known of a request that came earlier. */
export interface EarlierRequest {
  readonly fingerprint: Buffer;
  /** Null while it is at work. */
  readonly answer: Buffer | null;
}

/** Who works on a request. */
export interface Holder {
  /** The same for all who hold the request, one after the other. */
  readonly seed: string;
  /** The seed, and what tells this holder from the others. */
  readonly name: string;
}

const inTime = (ms: number) => new Date(Date.now() + ms);

/**
 * Takes a request: the first one gets it, and whoever comes after a holder that died or did not know how it ended, or after the first answer has
 * expired. Undefined where it was not taken.
 */
export async function takeRequest(db: PrismaClient, digest: Bytes, fingerprint: Bytes): Promise<Holder | undefined> {
  const [lockedUntil, expiresAt] = [inTime(LOCK_MS), inTime(KEPT_MS)];
  const [seed, own] = [newSeed(), newSeed()];
  const rows = await db.$queryRaw<{ holder: string }[]>`
    INSERT INTO idempotent_requests AS request (digest, fingerprint, holder, locked_until, expires_at)
    VALUES (${digest}, ${fingerprint}, ${`${seed}:${own}`}, ${lockedUntil}, ${expiresAt})
    ON CONFLICT (digest) DO UPDATE SET fingerprint = excluded.fingerprint, answer = NULL,
      holder = CASE WHEN request.expires_at < now() THEN excluded.holder
        ELSE split_part(request.holder, ':', 1) || ':' || ${own} END,
      locked_until = excluded.locked_until, expires_at = excluded.expires_at, created_at = now()
    WHERE request.expires_at < now()
      OR (request.answer IS NULL AND request.locked_until < now() AND request.fingerprint = excluded.fingerprint)
    RETURNING holder`;
  const name = rows[0]?.holder;
  return name === undefined ? undefined : { name, seed: name.slice(0, name.indexOf(':')) };
}

/** The request that came earlier; undefined where it is gone meanwhile. */
export async function findRequest(db: PrismaClient, digest: Bytes): Promise<EarlierRequest | undefined> {
  const row = await db.idempotentRequest.findUnique({ where: { digest }, select: { fingerprint: true, answer: true } });
  if (row === null) return undefined;
  return { fingerprint: Buffer.from(row.fingerprint), answer: row.answer === null ? null : Buffer.from(row.answer) };
}

/** Says that the holder is still at work. */
export async function renewRequest(db: PrismaClient, digest: Bytes, holder: Holder): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, holder: holder.name },
    data: { lockedUntil: inTime(LOCK_MS) },
  });
}

/** Stores the response and the records it is about. */
export async function keepAnswer(
  db: PrismaClient,
  digest: Bytes,
  holder: Holder,
  { answer, subjects }: { readonly answer: Bytes; readonly subjects: readonly string[] },
): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, holder: holder.name },
    data: { answer, subjects: [...subjects] },
  });
}

/** Deletes the stored responses about deleted records. */
export async function dropAnswersAbout(db: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.idempotentRequest.deleteMany({ where: { subjects: { hasSome: [...ids] } } });
}

/**
 * Deletes the text of a response that must not be replayed. The request stays known, so that a
 * retry does not run it twice.
 */
export async function blankAnswer(db: PrismaClient, digest: Bytes): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, answer: { not: null } },
    data: { answer: new Uint8Array() },
  });
}

/** Leaves a request of which nobody knows how it ended to whoever repeats it. */
export async function releaseRequest(db: PrismaClient, digest: Bytes, holder: Holder): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, holder: holder.name, answer: null },
    data: { lockedUntil: new Date(0) },
  });
}

/** Forgets a request that failed: a repeat tries it anew. */
export async function dropRequest(db: PrismaClient, digest: Bytes, holder: Holder): Promise<void> {
  await db.idempotentRequest.deleteMany({ where: { digest, holder: holder.name, answer: null } });
}

/** Removes answers that have expired. */
export async function purgeRequests(db: PrismaClient): Promise<void> {
  await db.$executeRaw`DELETE FROM idempotent_requests WHERE digest IN
    (SELECT digest FROM idempotent_requests WHERE expires_at < now() LIMIT ${PURGE_ROWS})`;
}
