import type { PrismaClient } from '#gen/prisma/client';
import { createTeam } from '#keys/team-store';

const MAX_NAME = 200;

/** Trims a team name. Throws if it is empty or too long. */
export function teamName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME) throw new Error(`A team name must have 1 to ${MAX_NAME} characters.`);
  return name;
}

/** Creates a team without keys. Throws if the name is taken. */
export async function newTeam(db: PrismaClient, text: string, json: boolean): Promise<string> {
  const name = teamName(text);
  const team = await createTeam(db, name);
  if (team === undefined) throw new Error(`A team named ${name} already exists. Choose another name.`);
  return json ? JSON.stringify({ teamId: team.id, name }) : `${team.id}  ${name}`;
}

/** Lists all teams with their active pairs, oldest first. */
export async function listTeams(db: PrismaClient, json: boolean): Promise<string> {
  const teams = await db.team.findMany({
    include: { _count: { select: { keyPairs: { where: { revokedAt: null } } } } },
    orderBy: { createdAt: 'asc' },
  });
  const rows = teams.map(({ id, name, createdAt, _count }) => ({
    teamId: id,
    name,
    activePairs: _count.keyPairs,
    createdAt,
  }));
  if (json) return JSON.stringify(rows);
  if (rows.length === 0) return 'There are no teams yet.';
  return rows
    .map(({ teamId, name, activePairs, createdAt }) => {
      return `${teamId}  ${name}  ${activePairs} active pairs  created ${createdAt.toISOString()}`;
    })
    .join('\n');
}
