import type { ListModelsRequest } from '@lectern/contracts';
import type { Context } from '#context';

/** The models that requests may name. */
export const listModels =
  ({ models }: Context) =>
  async (_request: ListModelsRequest) => {
    const offered = await models.list();
    return { models: offered.map((info) => ({ ...info, isDefault: info.id === models.default.id })) };
  };
