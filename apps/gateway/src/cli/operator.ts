import { hostname, userInfo } from 'node:os';
import type { Actor } from '#audit/record-audit';

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run as a user without a name.
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Returns the person at the command line as the actor for the audit log. */
export function operator(teamId: string): Actor {
  return { teamId, keyId: undefined, origin: `${userName()}@${hostname()}`, userAgent: 'command line' };
}
