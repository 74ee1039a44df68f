import type { ListModelsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';

/** Lists the models that a request can name. */
export const listModels =
  ({ modelsOf }: Context) =>
  async (_request: ListModelsRequest, { caller }: ServiceCall) => {
    const models = modelsOf(caller.teamId);
    const offered = await models.list();
    // No model is the default while the server that provides it is unavailable.
    const standard = await models.default().catch(() => undefined);
    return { models: offered.map((info) => ({ ...info, isDefault: info.id === standard?.id })) };
  };
