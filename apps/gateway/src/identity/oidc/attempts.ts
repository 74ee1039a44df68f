import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PrismaClient } from '#gen/prisma/client';
import { cookie, readCookie } from '#identity/session-cookie';
import { hashKey } from '#keys/format';
import { BATCH, inBatches } from '#retention/in-batches';

const LIFETIME_MS = 10 * 60_000;
const NAME = 'lectern_sign_in';
const SECRET = /^[\w-]{43}$/;

/** The values of a sign-in that the provider gets or returns. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const derive = (secret: string, purpose: string, state: string) =>
  createHmac('sha256', secret).update(`${purpose}\n${state}`).digest('base64url');

/** The database knows neither the nonce nor the code verifier: they follow from the browser's secret. */
const attemptOf = (secret: string, state: string): Attempt => ({
  state,
  nonce: derive(secret, 'nonce', state),
  codeVerifier: derive(secret, 'verifier', state),
});

/** Returns the secret of the browser. */
function readSecret(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const secret = readCookie(NAME, headers, isSecure);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/** The browser that signs in. */
interface Browser {
  readonly headers: IncomingHttpHeaders;
  readonly isSecure: boolean;
}

/**
 * Stores that a browser starts a sign-in. The browser keeps one secret for ten minutes, so that it can
 * sign in in several tabs.
 */
export async function startAttempt(
  db: PrismaClient,
  { headers, isSecure }: Browser,
  { providerId, returnTo }: { readonly providerId: string; readonly returnTo: string },
): Promise<{ readonly attempt: Attempt; readonly cookie: string }> {
  const secret = readSecret(headers, isSecure) ?? randomBytes(32).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  const hashes = { stateHash: hashKey(state), browserHash: hashKey(secret) };
  await db.signInAttempt.create({ data: { ...hashes, providerId, returnTo, expiresAt } });
  return { attempt: attemptOf(secret, state), cookie: cookie(NAME, secret, LIFETIME_MS / 1000, isSecure) };
}

/**
 * Ends an attempt of this browser with this provider, and returns it. Returns undefined if there is none,
 * for example because it was used. An attempt works once: another request with the same state fails.
 */
export async function takeAttempt(
  db: PrismaClient,
  { headers, isSecure }: Browser,
  { providerId, state }: { readonly providerId: string; readonly state: string },
): Promise<(Attempt & { readonly returnTo: string }) | undefined> {
  const secret = readSecret(headers, isSecure);
  if (secret === undefined) return undefined;
  const [row] = await db.$queryRaw<{ return_to: string }[]>`DELETE FROM sign_in_attempts
    WHERE state_hash = ${hashKey(state)} AND browser_hash = ${hashKey(secret)}
      AND provider_id = ${providerId} AND expires_at > now()
    RETURNING return_to`;
  return row && { ...attemptOf(secret, state), returnTo: row.return_to };
}

/** Deletes attempts that were not finished. */
export async function purgeAttempts(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(
    () => db.$executeRaw`DELETE FROM sign_in_attempts WHERE state_hash IN
    (SELECT state_hash FROM sign_in_attempts WHERE expires_at < now() LIMIT ${BATCH})`,
    signal,
  );
}
