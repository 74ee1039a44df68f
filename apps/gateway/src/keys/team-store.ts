import { newId } from '@lectern/service-kit';
import type { Prisma, Team } from '#gen/prisma/client';

/** Returns the id of the team with this name. Creates the team if it does not exist. */
export async function ensureTeam(db: Prisma.TransactionClient, name: string): Promise<string> {
  const team = await db.team.upsert({ where: { name }, create: { id: newId('team'), name }, update: {} });
  return team.id;
}

/** Creates a team. Returns undefined if the name is taken. */
export async function createTeam(db: Prisma.TransactionClient, name: string): Promise<Team | undefined> {
  const data = [{ id: newId('team'), name }];
  const [team] = await db.team.createManyAndReturn({ data, skipDuplicates: true });
  return team;
}
