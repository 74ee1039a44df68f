import type { PrismaClient } from '#gen/prisma/client';
import { createKeyPair, ensureTeam } from '#keys/key-store';

const MAX_NAME = 200;

/** Makes a pair for the team of that name, and the team where there is none. The keys are in the answer and nowhere else. */
export async function createKeys(db: PrismaClient, team: string, json: boolean): Promise<string> {
  const name = team.trim();
  if (name === '' || name.length > MAX_NAME) throw new Error(`--team must have 1 to ${MAX_NAME} characters.`);
  const { id, teamId, secretKey, publishableKey } = await createKeyPair(db, await ensureTeam(db, name), 'Made by CLI');
  if (json) return JSON.stringify({ teamId, secretKey, publishableKey });
  return [
    `Team             ${teamId} (${name})`,
    `Pair             ${id}`,
    `Secret key       ${secretKey}`,
    `Publishable key  ${publishableKey}`,
    'The keys are shown once. Keep the secret key on servers only.',
  ].join('\n');
}
