import { domainPrincipal, userPrincipal } from '@lectern/contracts';
import type { Caller } from '@lectern/service-kit';
import type { Context } from '#context';

// Sources nest groups a few levels deep. A cycle of groups ends, because `UNION` drops rows that
// are already present.
const MAX_PRINCIPALS = 10_000;

/**
 * How long groups stay valid while their connector fails to import them. After that they have no
 * members until an import succeeds.
 */
const GRACE_HOURS = 24;

/**
 * Returns all principals of a user of a team: `public`, the user, the domain of the email address,
 * the groups at identity providers, and every group that contains one of these directly or through
 * other groups. The newest import by any connector decides who is in a group (docs/adr/0019).
 */
async function principalsOfUser(
  { db }: Context,
  teamId: string,
  email: string,
  groups: readonly string[],
): Promise<string[]> {
  const user = userPrincipal(email);
  const known = [user, ...groups];
  const rows = await db.$queryRaw<{ principal: string }[]>`
    WITH RECURSIVE user_principals AS (
      SELECT unnest(${known}::text[]) AS principal
      UNION
      SELECT g.principal FROM user_principals
      JOIN group_members AS m ON m.team_id = ${teamId} AND m.member = user_principals.principal
      JOIN groups AS g ON g.connector_id = m.connector_id AND g.principal = m.principal
      LEFT JOIN group_readings AS r ON r.connector_id = g.connector_id
      WHERE NOT g.is_gone
        AND (r.failing_since IS NULL OR r.failing_since > now() - make_interval(hours => ${GRACE_HOURS}::int))
        AND NOT EXISTS (
          SELECT FROM groups AS newer
          WHERE newer.team_id = ${teamId} AND newer.principal = g.principal
            AND (newer.read_at, newer.generation) > (g.read_at, g.generation)
        )
    )
    SELECT principal FROM user_principals WHERE principal <> ${user} ORDER BY principal LIMIT ${MAX_PRINCIPALS}`;
  const domain = user.slice(user.lastIndexOf('@') + 1);
  return ['public', user, domainPrincipal(domain), ...rows.map(({ principal }) => principal)];
}

/**
 * Returns the principals that restrict a caller, or undefined if only the key's scope does. A
 * publishable key always reads as `public`.
 */
export async function principalsOfCaller(context: Context, caller: Caller): Promise<string[] | undefined> {
  const { teamId, userEmail, publicOnly, groups = [] } = caller;
  if (publicOnly === true) return ['public'];
  return userEmail === undefined ? undefined : principalsOfUser(context, teamId, userEmail, groups);
}
