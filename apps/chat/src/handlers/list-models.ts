import type { ListModelsRequest } from '@lectern/contracts';
import type { Context } from '#context';

/** The models that requests may name. */
export const listModels =
  ({ models }: Context) =>
  async (_request: ListModelsRequest) => {
    const offered = await models.list();
    // None is the default while the server that has it cannot be asked.
    const standard = await models.default().catch(() => undefined);
    return { models: offered.map((info) => ({ ...info, isDefault: info.id === standard?.id })) };
  };
