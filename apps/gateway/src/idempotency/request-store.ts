import type { PrismaClient } from '#gen/prisma/client';

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

const inTime = (ms: number) => new Date(Date.now() + ms);

/**
 * Takes a request for `holder`: the first one gets it, and whoever comes after a holder that died, or after the first answer has expired.
 * True where it was taken.
 */
export async function takeRequest(
  db: PrismaClient,
  digest: Bytes,
  fingerprint: Bytes,
  holder: string,
): Promise<boolean> {
  const [lockedUntil, expiresAt] = [inTime(LOCK_MS), inTime(KEPT_MS)];
  const taken = await db.$executeRaw`
    INSERT INTO idempotent_requests AS request (digest, fingerprint, holder, locked_until, expires_at)
    VALUES (${digest}, ${fingerprint}, ${holder}, ${lockedUntil}, ${expiresAt})
    ON CONFLICT (digest) DO UPDATE SET fingerprint = excluded.fingerprint, holder = excluded.holder, answer = NULL,
      locked_until = excluded.locked_until, expires_at = excluded.expires_at, created_at = now()
    WHERE request.expires_at < now()
      OR (request.answer IS NULL AND request.locked_until < now() AND request.fingerprint = excluded.fingerprint)`;
  return taken > 0;
}

/** The request that came earlier; undefined where it is gone meanwhile. */
export async function findRequest(db: PrismaClient, digest: Bytes): Promise<EarlierRequest | undefined> {
  const row = await db.idempotentRequest.findUnique({ where: { digest }, select: { fingerprint: true, answer: true } });
  if (row === null) return undefined;
  return { fingerprint: Buffer.from(row.fingerprint), answer: row.answer === null ? null : Buffer.from(row.answer) };
}

/** Says that the holder is still at work. */
export async function renewRequest(db: PrismaClient, digest: Bytes, holder: string): Promise<void> {
  await db.idempotentRequest.updateMany({ where: { digest, holder }, data: { lockedUntil: inTime(LOCK_MS) } });
}

/** Keeps the answer. */
export async function keepAnswer(db: PrismaClient, digest: Bytes, holder: string, answer: Bytes): Promise<void> {
  await db.idempotentRequest.updateMany({ where: { digest, holder }, data: { answer } });
}

/** Forgets a request that failed: a repeat tries it anew. */
export async function dropRequest(db: PrismaClient, digest: Bytes, holder: string): Promise<void> {
  await db.idempotentRequest.deleteMany({ where: { digest, holder, answer: null } });
}

/** Removes answers that have expired. */
export async function purgeRequests(db: PrismaClient): Promise<void> {
  await db.$executeRaw`DELETE FROM idempotent_requests WHERE digest IN
    (SELECT digest FROM idempotent_requests WHERE expires_at < now() LIMIT ${PURGE_ROWS})`;
}
