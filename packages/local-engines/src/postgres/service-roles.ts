import { readFile } from 'node:fs/promises';
import { onServer } from '#postgres/databases';

/** The statements, which docker-compose.yml and the cluster's job run too. */
const STATEMENTS = new URL('./service-roles.sql', import.meta.url);

/** The password of each role, by the schema that the role reaches. */
export type RolePasswords = Readonly<Record<string, string>>;

/**
 * Makes a role for each schema in the database of a server that is Lectern's alone, and hands it the schema with all that is in it, as a database of an earlier
 * version has it in other hands. Idempotent. `url` is the superuser's.
 */
export async function ensureServiceRoles(url: string, passwords: RolePasswords): Promise<void> {
  const statements = await readFile(STATEMENTS, 'utf8');
  await onServer(url, async (client) => {
    await client.query(
      "SELECT set_config('lectern.role_passwords', $1, false), set_config('lectern.dedicated_server', 'on', false)",
      [JSON.stringify(passwords)],
    );
    await client.query(statements);
  });
}

/** The same database, as the role of a schema. */
export function serviceRoleUrl(url: string, schema: string, password: string): string {
  const own = new URL(url);
  own.username = `lectern_${schema}`;
  own.password = encodeURIComponent(password);
  return own.href;
}
