import { createHash } from 'node:crypto';
import type { PrismaClient } from '#gen/prisma/client';
import { invalidSignature, type SignatureHead, TOLERANCE_MS } from '#signatures/signature-head';

/** Added to the time for which a timestamp is accepted, because the clocks of replicas differ. */
const SPARE_MS = 60_000;
const PURGE_ROWS = 10_000;

/** The mutation that a signature is used for. */
export interface SignedMutation {
  readonly pairId: string;
  readonly operation: string;
  /** The parameters of the path. */
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

const alreadyUsed = () => invalidSignature('it was used before. Sign each request separately, with the current time.');

/**
 * Rejects a signature that was used before, without reading the body it signs. Throws
 * `invalid_signature`.
 */
export async function requireUnused(db: PrismaClient, head: SignatureHead, mutation: SignedMutation): Promise<void> {
  const digest = digestOf(head, mutation);
  const [used] = await db.$queryRaw<unknown[]>`SELECT 1 FROM used_signatures WHERE digest = ${digest}`;
  if (used !== undefined) throw alreadyUsed();
}

/**
 * Marks a signature as used for a mutation, for all replicas. Throws `invalid_signature` if it was
 * used before. The digest contains the parsed path parameters, so another spelling of the same path
 * does not make the signature valid again.
 */
export async function useSignature(db: PrismaClient, head: SignatureHead, mutation: SignedMutation): Promise<void> {
  const expiresAt = new Date(Number(head.timestamp) + TOLERANCE_MS + SPARE_MS);
  const used =
    await db.$executeRaw`INSERT INTO used_signatures (digest, expires_at) VALUES (${digestOf(head, mutation)}, ${expiresAt})
    ON CONFLICT DO NOTHING`;
  if (used === 0) throw alreadyUsed();
}

/** Deletes signatures that are too old to be accepted. */
export async function purgeSignatures(db: PrismaClient): Promise<void> {
  await db.$executeRaw`DELETE FROM used_signatures WHERE digest IN
    (SELECT digest FROM used_signatures WHERE expires_at < now() LIMIT ${PURGE_ROWS})`;
}
