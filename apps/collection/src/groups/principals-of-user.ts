import { type Caller, domainPrincipal, userPrincipal } from '@lectern/service-kit';
import type { Context } from '#context';

// Sources nest groups a few levels deep. A ring of groups ends by itself: `UNION` drops what is there already.
const MAX_PRINCIPALS = 10_000;

/** All principals that a user of a team reads as: `public`, the user, the domain of the address, and every group of a connector that holds the user, also through others. */
export async function principalsOfUser({ db }: Context, teamId: string, email: string): Promise<string[]> {
  const user = userPrincipal(email);
  const rows = await db.$queryRaw<{ principal: string }[]>`
    WITH RECURSIVE held AS (
      SELECT connector_id, principal FROM group_members WHERE team_id = ${teamId} AND member = ${user}
      UNION
      SELECT above.connector_id, above.principal FROM group_members AS above
      JOIN held ON above.connector_id = held.connector_id AND above.member = held.principal
      WHERE above.team_id = ${teamId}
    )
    SELECT DISTINCT principal FROM held ORDER BY principal LIMIT ${MAX_PRINCIPALS}`;
  const domain = user.slice(user.lastIndexOf('@') + 1);
  return ['public', user, domainPrincipal(domain), ...rows.map(({ principal }) => principal)];
}

/** The principals that a caller reads as; undefined where its key's scope alone decides. A publishable key reads as `public`, whoever uses it. */
export async function principalsOfCaller(context: Context, caller: Caller): Promise<string[] | undefined> {
  const { teamId, userEmail, publicOnly } = caller;
  if (publicOnly === true) return ['public'];
  return userEmail === undefined ? undefined : principalsOfUser(context, teamId, userEmail);
}
