import { createHash, randomBytes } from 'node:crypto';
import { isId } from '@lectern/service-kit';

const RANDOM_BYTES = 32;
const STATE = /^([a-z]+_[0-9a-z]+)\.([A-Za-z0-9_-]{43})$/;

/** A state that nobody can guess. It names its team, because the callback that brings it back comes without a key. */
export function createState(teamId: string): string {
  return `${teamId}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** The team that a state says it is of; undefined for what is no state. Only the row under the state's hash proves it. */
export function teamOfState(state: string): string | undefined {
  const teamId = STATE.exec(state)?.[1];
  return teamId !== undefined && isId('team', teamId) ? teamId : undefined;
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
