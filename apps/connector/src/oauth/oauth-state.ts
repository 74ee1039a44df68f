import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/** A state that nobody can guess. It names its team, because the callback that brings it back comes without a key. */
export function createState(teamId: string): string {
  return `${teamId}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** What is kept of a state. */
export function hashState(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

/** A PKCE verifier (RFC 7636, 4.1). */
export function createVerifier(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Its S256 challenge (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
