import { recordAudit } from '#audit/record-audit';
import { operator } from '#cli/operator';
import { teamName } from '#cli/teams';
import type { PrismaClient } from '#gen/prisma/client';
import { createKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';

/** Creates a key pair, and the team if it does not exist. Only the result shows the keys. */
export async function createKeys(db: PrismaClient, team: string, json: boolean): Promise<string> {
  const name = teamName(team);
  const { id, teamId, secretKey, publishableKey } = await db.$transaction(async (tx) => {
    const pair = await createKeyPair(tx, await ensureTeam(tx, name), 'Created by the CLI');
    const action = { action: 'createApiKey', resourceType: 'api_key', resourceId: pair.id };
    await recordAudit(tx, operator(pair.teamId), action);
    return pair;
  });
  if (json) return JSON.stringify({ teamId, secretKey, publishableKey });
  return [
    `Team             ${teamId} (${name})`,
    `Pair             ${id}`,
    `Secret key       ${secretKey}`,
    `Publishable key  ${publishableKey}`,
    'The keys are shown once. Keep the secret key on servers only.',
  ].join('\n');
}
