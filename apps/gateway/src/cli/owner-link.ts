import { recordAudit } from '#audit/record-audit';
import { operator } from '#cli/operator';
import { teamName } from '#cli/teams';
import type { PrismaClient } from '#gen/prisma/client';
import { createLink } from '#identity/link-store';
import { lockPeople } from '#identity/person-store';
import { ensureTeam } from '#keys/team-store';

/** Where the console opens a link. Browsers do not send the part after `#`. */
const PATH = '/console/join#';

/**
 * Creates a link that makes an owner of a team, and the team if it does not exist. With `ifNone`, it
 * creates none if the team has an active owner.
 */
export async function ownerLink(
  db: PrismaClient,
  team: string,
  { json, ifNone }: { readonly json: boolean; readonly ifNone: boolean },
): Promise<string> {
  const name = teamName(team);
  const path = await db.$transaction(async (tx) => {
    const teamId = await ensureTeam(tx, name);
    await lockPeople(tx, teamId);
    const owner = { teamId, role: 'owner', status: 'active' } as const;
    if (ifNone && (await tx.person.findFirst({ where: owner, select: { id: true } })) !== null) return undefined;
    const { link, token } = await createLink(tx, teamId, { purpose: 'owner' }, undefined);
    const action = { action: 'createOwnerLink', resourceType: 'invitation', resourceId: link.id };
    await recordAudit(tx, operator(teamId), action);
    return `${PATH}${token}`;
  });
  if (json) return JSON.stringify({ path: path ?? null });
  if (path === undefined) return `The team ${name} has an owner.`;
  return [
    'Open this page of your Lectern, for example http://localhost:8080, to create an owner:',
    path,
    'The link works once, for 24 hours.',
  ].join('\n');
}
