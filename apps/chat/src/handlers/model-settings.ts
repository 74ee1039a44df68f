import type { GetModelSettingsRequest, GetTeamModelsRequest, ModelSettings, TeamModels } from '@lectern/contracts';
import { unknownModel } from '@lectern/llm';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { changeModels, endpointModels, requireWholeTeam } from '#model-endpoints/endpoint-rows';
import { readTeamModels } from '#model-endpoints/team-choice';

/** Returns the default model that the caller's team has chosen. */
export const getModelSettings =
  ({ db }: Context) =>
  async (_request: GetModelSettingsRequest, { caller }: ServiceCall): Promise<ModelSettings> => {
    requireWholeTeam(caller);
    const settings = await db.modelSetting.findUnique({ where: { teamId: caller.teamId } });
    return { defaultModel: settings?.defaultModel ?? undefined };
  };

/** Chooses the default model of the caller's team. */
export const setModelSettings =
  ({ db, models }: Context) =>
  async ({ defaultModel }: ModelSettings, { caller }: ServiceCall): Promise<ModelSettings> => {
    requireWholeTeam(caller);
    const { teamId } = caller;
    // Read before the transaction: a server can take seconds to list its models.
    const installed = defaultModel === undefined ? [] : (await models.list()).map(({ id }) => id);
    await changeModels(db, teamId, async (tx) => {
      if (defaultModel !== undefined) {
        const endpoints = await tx.modelEndpoint.findMany({ where: { teamId } });
        const own = endpoints.flatMap((one) => endpointModels(one).map(({ id }) => id));
        const available = new Set([...own, ...installed]);
        if (!available.has(defaultModel)) {
          const offered = [...available].map((id) => ({ id }));
          throw unknownModel('defaultModel', defaultModel, offered);
        }
      }
      const row = { defaultModel: defaultModel ?? null };
      await tx.modelSetting.upsert({ where: { teamId }, create: { teamId, ...row }, update: row });
    });
    return { defaultModel };
  };

/** Returns the endpoints of a team with their sealed keys, for other services. */
export const getTeamModels =
  ({ db }: Context) =>
  (_request: GetTeamModelsRequest, { caller }: ServiceCall): Promise<TeamModels> =>
    readTeamModels(db, caller.teamId);
