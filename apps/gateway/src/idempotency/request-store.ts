import { newSeed } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';

type Bytes = Uint8Array<ArrayBuffer>;

/** How long a response can be replayed. */
const RETENTION_MS = 86_400_000;
/** A lease that is not renewed within this time has expired. */
export const LOCK_MS = 30_000;
const PURGE_ROWS = 10_000;

/** An earlier request with the same key. */
export interface EarlierRequest {
  readonly fingerprint: Buffer;
  /** The stored response: empty if it was cleared, null if the request has not succeeded yet. */
  readonly response: Buffer | null;
}

/** The lease of a request. */
export interface Holder {
  /** The same in each retry of the request. */
  readonly seed: string;
  /** The seed and an id that is unique to this holder. */
  readonly name: string;
}

const inTime = (ms: number) => new Date(Date.now() + ms);

/**
 * Acquires the lease of a request: for the first request, after an expired lease or an uncertain
 * result, and after the stored response has expired. Returns undefined if another request holds
 * it.
 */
export async function takeRequest(db: PrismaClient, digest: Bytes, fingerprint: Bytes): Promise<Holder | undefined> {
  const [lockedUntil, expiresAt] = [inTime(LOCK_MS), inTime(RETENTION_MS)];
  const [seed, holderId] = [newSeed(), newSeed()];
  const rows = await db.$queryRaw<{ holder: string }[]>`
    INSERT INTO idempotent_requests AS request (digest, fingerprint, holder, locked_until, expires_at)
    VALUES (${digest}, ${fingerprint}, ${`${seed}:${holderId}`}, ${lockedUntil}, ${expiresAt})
    ON CONFLICT (digest) DO UPDATE SET fingerprint = excluded.fingerprint, answer = NULL,
      holder = CASE WHEN request.expires_at < now() THEN excluded.holder
        ELSE split_part(request.holder, ':', 1) || ':' || ${holderId} END,
      locked_until = excluded.locked_until, expires_at = excluded.expires_at, created_at = now()
    WHERE request.expires_at < now()
      OR (request.answer IS NULL AND request.locked_until < now() AND request.fingerprint = excluded.fingerprint)
    RETURNING holder`;
  const name = rows[0]?.holder;
  return name === undefined ? undefined : { name, seed: name.slice(0, name.indexOf(':')) };
}

/** Finds an earlier request. Returns undefined if it was deleted meanwhile. */
export async function findRequest(db: PrismaClient, digest: Bytes): Promise<EarlierRequest | undefined> {
  const row = await db.idempotentRequest.findUnique({ where: { digest }, select: { fingerprint: true, answer: true } });
  if (row === null) return undefined;
  return { fingerprint: Buffer.from(row.fingerprint), response: row.answer && Buffer.from(row.answer) };
}

/** Renews the lease. Returns false if another request has it. */
export async function renewRequest(db: PrismaClient, digest: Bytes, holder: Holder): Promise<boolean> {
  const { count } = await db.idempotentRequest.updateMany({
    where: { digest, holder: holder.name },
    data: { lockedUntil: inTime(LOCK_MS) },
  });
  return count > 0;
}

/** Stores the response and the records it is about. */
export async function storeResponse(
  db: PrismaClient,
  digest: Bytes,
  holder: Holder,
  { response, subjects }: { readonly response: Bytes; readonly subjects: readonly string[] },
): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, holder: holder.name },
    data: { answer: response, subjects: [...subjects] },
  });
}

/** Deletes the stored responses about deleted records. */
export async function deleteResponsesAbout(db: Prisma.TransactionClient, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.idempotentRequest.deleteMany({ where: { subjects: { hasSome: [...ids] } } });
}

/**
 * Deletes the text of a response that must not be replayed. The request stays known, so that a
 * retry does not run it twice.
 */
export async function clearResponse(db: PrismaClient, digest: Bytes): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, answer: { not: null } },
    data: { answer: new Uint8Array() },
  });
}

/** Releases the lease of a request with an uncertain result, so that a retry can run it. */
export async function releaseRequest(db: PrismaClient, digest: Bytes, holder: Holder): Promise<void> {
  await db.idempotentRequest.updateMany({
    where: { digest, holder: holder.name, answer: null },
    data: { lockedUntil: new Date(0) },
  });
}

/** Deletes a failed request, so that a retry runs it again. */
export async function dropRequest(db: PrismaClient, digest: Bytes, holder: Holder): Promise<void> {
  await db.idempotentRequest.deleteMany({ where: { digest, holder: holder.name, answer: null } });
}

/** Deletes expired responses. */
export async function purgeRequests(db: PrismaClient): Promise<void> {
  await db.$executeRaw`DELETE FROM idempotent_requests WHERE digest IN
    (SELECT digest FROM idempotent_requests WHERE expires_at < now() LIMIT ${PURGE_ROWS})`;
}
