import { createHash, randomBytes } from 'node:crypto';
import type { Prisma, PrismaClient } from '#gen/prisma/client';

/** How long a person has to use a passkey. */
export const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;
const PURGE_ROWS = 10_000;

/** What a challenge is for. A challenge of one ceremony never works in another one. */
export interface Ceremony {
  readonly purpose: 'signIn' | 'link' | 'add';
  /** The browser, the link or the session that it belongs to. */
  readonly subject: string;
}

const digestOf = ({ purpose, subject }: Ceremony, challenge: string) =>
  createHash('sha256').update([purpose, subject, challenge].join('\0')).digest();

/** Creates a challenge for a ceremony. The database has only its digest. */
export async function createChallenge(
  db: Prisma.TransactionClient,
  ceremony: Ceremony,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  const digest = digestOf(ceremony, Buffer.from(challenge).toString('base64url'));
  await db.passkeyChallenge.create({ data: { digest, expiresAt: new Date(Date.now() + CHALLENGE_MS) } });
  return challenge;
}

/** Uses up a challenge. Returns false if it is unknown, used, expired or of another ceremony. */
export async function takeChallenge(
  db: Prisma.TransactionClient,
  ceremony: Ceremony,
  challenge: string,
): Promise<boolean> {
  const where = { digest: digestOf(ceremony, challenge), expiresAt: { gt: new Date() } };
  return (await db.passkeyChallenge.deleteMany({ where })).count > 0;
}

/** Deletes expired challenges. */
export async function purgeChallenges(db: PrismaClient): Promise<void> {
  await db.$executeRaw`DELETE FROM passkey_challenges WHERE digest IN
    (SELECT digest FROM passkey_challenges WHERE expires_at < now() LIMIT ${PURGE_ROWS})`;
}
