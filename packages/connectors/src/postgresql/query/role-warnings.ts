import { z } from 'zod';
import type { DatabaseClient } from '#postgresql/open-database';

const Role = z.object({ superuser: z.boolean(), files: z.boolean(), creates: z.boolean(), writes: z.boolean() });

const ROLE = `
  SELECT r.rolsuper AS superuser,
    r.rolsuper OR pg_has_role(current_user, 'pg_read_server_files', 'USAGE') OR pg_has_role(current_user, 'pg_write_server_files', 'USAGE')
      OR pg_has_role(current_user, 'pg_execute_server_program', 'USAGE') AS files,
    coalesce(has_schema_privilege($1, 'CREATE'), false) AS creates,
    EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
      AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS writes
  FROM pg_roles r WHERE r.rolname = current_user`;

/**
 * Returns warnings about permissions of the connector's role beyond reading; none for a read-only role. The
 * role is the fourth layer: it protects the database if the others fail.
 */
export async function roleWarnings(client: DatabaseClient, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query(ROLE, [schema]);
  const role = Role.parse(rows[0]);
  return [
    ...(role.superuser ? ['The user is a superuser.'] : []),
    ...(role.files && !role.superuser ? ["The user can read or write the server's files, or run programs there."] : []),
    ...(role.creates ? [`The user can create tables in ${schema}.`] : []),
    ...(role.writes ? [`The user can change rows in ${schema}.`] : []),
  ];
}
