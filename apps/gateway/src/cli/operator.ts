import { hostname, userInfo } from 'node:os';
import type { Actor } from '#audit/record-audit';

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Whoever works at the command line, as the audit log names them. */
export function operator(teamId: string): Actor {
  return { teamId, keyId: undefined, origin: `${userName()}@${hostname()}`, userAgent: 'command line' };
}
