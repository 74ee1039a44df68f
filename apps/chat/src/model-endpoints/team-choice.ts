import type { SealedEndpoint, TeamModels } from '@lectern/contracts';
import { openTeamChoice, type TeamChoice } from '@lectern/llm';
import type { Secrets } from '@lectern/service-kit';
import type { ModelEndpoint, PrismaClient } from '#gen/prisma/client';
import { MAX_ENDPOINTS } from '#model-endpoints/endpoint-fields';
import { toEndpoint } from '#model-endpoints/endpoint-rows';

/** Reads the endpoints of a team, with their sealed keys, and its default model. */
export async function readTeamModels(db: PrismaClient, teamId: string): Promise<TeamModels> {
  const [endpoints, settings] = await Promise.all([
    db.modelEndpoint.findMany({ where: { teamId }, orderBy: [{ name: 'asc' }, { id: 'asc' }], take: MAX_ENDPOINTS }),
    db.modelSetting.findUnique({ where: { teamId } }),
  ]);
  return { endpoints: endpoints.map(toSealed), defaultModel: settings?.defaultModel ?? undefined };
}

const toSealed = (endpoint: ModelEndpoint): SealedEndpoint => ({
  endpoint: toEndpoint(endpoint),
  sealed: Buffer.from(endpoint.sealed ?? []),
  wrappedKey: Buffer.from(endpoint.wrappedKey ?? []),
  masterKeyVersion: endpoint.masterKeyVersion ?? 0,
});

/** Reads what a team has added and chosen. Keys are opened when they are needed. */
export const readTeamChoice = async (db: PrismaClient, secrets: Secrets, teamId: string): Promise<TeamChoice> =>
  openTeamChoice(await readTeamModels(db, teamId), secrets, teamId);
