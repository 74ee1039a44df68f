import { createHash } from 'node:crypto';
import type { PrismaClient } from '#gen/prisma/client';
import { invalidSignature, type SignatureHead, TOLERANCE_MS } from '#signatures/signature-head';

/** Kept beyond the time in which the timestamp is accepted: replicas' clocks differ. */
const SPARE_MS = 60_000;
const PURGE_ROWS = 10_000;

/** The mutation that a signature is used for. */
export interface SignedMutation {
  readonly pairId: string;
  readonly operation: string;
  /** Of the path. */
  readonly params: unknown;
}

function digestOf(
  { timestamp, digest }: SignatureHead,
  { pairId, operation, params }: SignedMutation,
): Buffer<ArrayBuffer> {
  return createHash('sha256')
    .update(JSON.stringify([pairId, operation, params, timestamp]))
    .update(digest)
    .digest();
}

const wasUsed = () => invalidSignature('it was used before. Sign each request separately, with the current time.');

/**
 * Rejects a signature that was used before, without reading the body it signs. Throws
 * `invalid_signature`.
 */
export async function requireUnused(db: PrismaClient, head: SignatureHead, mutation: SignedMutation): Promise<void> {
  const digest = digestOf(head, mutation);
  const [used] = await db.$queryRaw<unknown[]>`SELECT 1 FROM used_signatures WHERE digest = ${digest}`;
  if (used !== undefined) throw wasUsed();
}

/**
 * Uses a signature up for a mutation, for all replicas: a row that only one of them can make. Throws `invalid_signature` where it was used
 * before. The path's parameters count as they were understood, so another spelling of the path is no other mutation.
 */
export async function useSignature(db: PrismaClient, head: SignatureHead, mutation: SignedMutation): Promise<void> {
  const expiresAt = new Date(Number(head.timestamp) + TOLERANCE_MS + SPARE_MS);
  const used =
    await db.$executeRaw`INSERT INTO used_signatures (digest, expires_at) VALUES (${digestOf(head, mutation)}, ${expiresAt})
    ON CONFLICT DO NOTHING`;
  if (used === 0) throw wasUsed();
}

/** Removes what can no longer be used. */
export async function purgeSignatures(db: PrismaClient): Promise<void> {
  await db.$executeRaw`DELETE FROM used_signatures WHERE digest IN
    (SELECT digest FROM used_signatures WHERE expires_at < now() LIMIT ${PURGE_ROWS})`;
}
