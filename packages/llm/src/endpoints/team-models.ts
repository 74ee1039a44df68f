import { createCache } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import {
  createEndpointModel,
  type EndpointAddress,
  type EndpointModel,
  type EndpointOptions,
  endpointInfo,
} from '#endpoints/model-endpoint';
import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import { countUsage } from '#registry/count-usage';
import { unknownModel } from '#registry/create-models';
import type { Models } from '#registry/models';

/** The label of the models of all endpoints in metrics. */
const METRICS_LABEL = 'team-endpoint';
/** Models whose client is kept between requests. */
const MAX_CLIENTS = 1_000;

/** An endpoint of a team. */
export interface TeamEndpoint extends EndpointAddress {
  readonly id: string;
  /** Changes with each change of the endpoint. */
  readonly revision: string;
  readonly models: readonly EndpointModel[];
  /** Opens the key. Throws AppError `unavailable` if it cannot be opened. */
  apiKey(): string | undefined;
}

/** What a team has added and chosen. */
export interface TeamChoice {
  readonly endpoints: readonly TeamEndpoint[];
  /** The model for requests that name none. Undefined: the default of the installation. */
  readonly defaultModel: string | undefined;
}

/**
 * Adds the endpoints of teams to the models of the installation. Returns a function from the choice of a team,
 * which is read for each request, to its models. A team's model hides the installation's
 * model of the same name. Only the team whose choice is read can use its endpoints.
 */
export function createTeamModels(
  installation: Models,
  options: EndpointOptions,
): (read: () => Promise<TeamChoice>) => Models {
  const clients = createCache<string, Promise<ChatModel>>({ maxEntries: MAX_CLIENTS });
  const create = (endpoint: TeamEndpoint, model: EndpointModel): Promise<ChatModel> => {
    const key = JSON.stringify([endpoint.id, endpoint.revision, model.id]);
    const known = clients.get(key);
    if (known !== undefined) return known;
    // Outside the promise, so that a missing key is not remembered.
    const connected = createEndpointModel(endpoint, endpoint.apiKey(), model, options);
    const created = Promise.resolve(connected).then((chatModel) =>
      countUsage({ ...chatModel, info: infoOf(endpoint, model) }, METRICS_LABEL),
    );
    clients.set(key, created);
    return created;
  };
  return (read) => ({
    default: async () => {
      const choice = await read();
      return choice.defaultModel === undefined ? installation.default() : chosenDefault(choice, installation);
    },
    list: async () => listAll(await read(), installation),
    get: async (named) => {
      const choice = await read();
      const id = named ?? choice.defaultModel ?? (await installation.default()).id;
      for (const endpoint of choice.endpoints) {
        const model = endpoint.models.find((one) => one.id === id);
        if (model !== undefined) return create(endpoint, model);
      }
      try {
        return await installation.get(id);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
        if (named === undefined && choice.defaultModel !== undefined) throw missingDefault(id);
        throw unknownModel('model', id, await listAll(choice, installation));
      }
    },
  });
}

const infoOf = (endpoint: TeamEndpoint, model: EndpointModel): ModelInfo => ({
  ...endpointInfo(endpoint, model),
  endpoint: { id: endpoint.id, name: endpoint.name },
});

async function listAll({ endpoints }: TeamChoice, installation: Models): Promise<readonly ModelInfo[]> {
  const own = endpoints.flatMap((endpoint) => endpoint.models.map((model) => infoOf(endpoint, model)));
  const hidden = new Set(own.map(({ id }) => id));
  return [...own, ...(await installation.list()).filter(({ id }) => !hidden.has(id))];
}

async function chosenDefault(choice: TeamChoice, installation: Models): Promise<ModelInfo> {
  const info = (await listAll(choice, installation)).find(({ id }) => id === choice.defaultModel);
  if (info === undefined) throw missingDefault(choice.defaultModel ?? '');
  return info;
}

const missingDefault = (id: string) =>
  new AppError(
    'unavailable',
    `The default model ${id} of the team is not available. Check its server, or choose another default on the page Models.`,
  );
