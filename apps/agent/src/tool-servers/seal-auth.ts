import type { Context } from '#context';
import type { AuthSecret, ServerAuth } from '#tool-servers/server-auth';

/**
 * Seals the secret of an authentication for the row of its server. Throws `unavailable` without a
 * master key.
 */
export function sealAuth(
  { secrets }: Pick<Context, 'secrets'>,
  { id, teamId }: { readonly id: string; readonly teamId: string },
  { auth, secret }: { readonly auth: ServerAuth; readonly secret: string | undefined },
) {
  if (secret === undefined) return { auth, sealed: null, wrappedKey: null, masterKeyVersion: null };
  const value: AuthSecret = { secret };
  return { auth, ...secrets.seal(value, { row: id, team: teamId }) };
}
