import { readFile } from 'node:fs/promises';
import { onServer } from '#postgres/databases';

/** docker-compose.yml and the cluster's job run the same file. */
const STATEMENTS = new URL('./service-roles.sql', import.meta.url);

/** The password of each role, keyed by schema. */
export type RolePasswords = Readonly<Record<string, string>>;

/**
 * Creates a role for each schema in the database of a server that only Lectern uses, and gives it
 * the schema with its contents, including those of an earlier version with another owner.
 * Idempotent. `url` is the superuser's.
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

/** Returns the URL of the same database with the role of a schema. */
export function serviceRoleUrl(url: string, schema: string, password: string): string {
  const roleUrl = new URL(url);
  roleUrl.username = `lectern_${schema}`;
  roleUrl.password = encodeURIComponent(password);
  return roleUrl.href;
}
