import { type Agent, isId, type Model } from '@lectern/contracts';
import { AppError, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import { agentSlug } from '#openai/agent-slug';
import type { KeyedCall } from '#pipeline/operation';

/** The name of the default model. */
const DEFAULT_MODEL = 'lectern';
const AGENT = 'agent:';
const PAGE = 100;
/** The largest number of agents that are listed and searched for a slug. */
const MAX_AGENTS = 2_000;

/** What answers a request. */
export type Answerer = { readonly model?: string; readonly agentId?: undefined } | { readonly agentId: string };

const unknownModel = (
  id: string,
  message = `The model ${id.slice(0, 200)} does not exist. GET /v1/models lists them.`,
) => new AppError('not_found', message, { details: { resource: 'model', id: id.slice(0, 200) } });

/** Lists the agents that the caller can see. A key without the right `agents` sees none. */
async function listAgents({ clients }: Context, call: KeyedCall): Promise<readonly Agent[]> {
  if (call.caller.noAgents === true) return [];
  const agents: Agent[] = [];
  for (let page = 1; agents.length < MAX_AGENTS; page += 1) {
    const response = await clients.agents.listAgents({ page: { page, limit: PAGE } }, onBehalfOf(call));
    agents.push(...response.agents);
    if (response.page?.hasMore !== true) break;
  }
  return agents;
}

/** Finds an agent by the id or the slug after `agent:`. Throws `not_found`. */
async function findAgent(ctx: Context, call: KeyedCall, model: string): Promise<Agent> {
  const name = model.slice(AGENT.length);
  if (call.caller.noAgents === true) throw unknownModel(model);
  if (isId('agent', name)) {
    try {
      return await ctx.clients.agents.getAgent({ id: name }, onBehalfOf(call));
    } catch (error) {
      // The list omits agents outside the scope of the key, so their ids are unknown here too.
      if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) {
        throw unknownModel(model);
      }
      throw error;
    }
  }
  const slug = agentSlug(name);
  const [agent, ...others] = (await listAgents(ctx, call)).filter((one) => slug !== '' && agentSlug(one.name) === slug);
  if (agent === undefined) throw unknownModel(model);
  if (others.length > 0) {
    const ids = [agent, ...others].slice(0, 10).map(({ id }) => AGENT + id);
    throw unknownModel(model, `Several agents have this name. Use the id of one of them: ${ids.join(', ')}.`);
  }
  return agent;
}

/** Returns what a model's name means. The chat service checks the names of language models. Throws `not_found`. */
export async function answererOf(ctx: Context, call: KeyedCall, model: string): Promise<Answerer> {
  if (model === DEFAULT_MODEL) return {};
  if (!model.startsWith(AGENT)) return { model };
  return { agentId: (await findAgent(ctx, call, model)).id };
}

/** Converts the error about an unknown language model to OpenAI's 404. */
export function modelError(error: unknown, model: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_request') return error;
  const issues: unknown = error.details?.issues;
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined;
  return Reflect.get(Object(first), 'path') === 'model' ? unknownModel(model, error.message) : error;
}

/** A model in OpenAI's form, with additions. */
export interface ListedModel {
  readonly id: string;
  readonly object: 'model';
  /** Seconds since 1970. 0 for a language model, whose time is unknown. */
  readonly created: number;
  readonly owned_by: string;
  readonly name: string;
  readonly description?: string;
  readonly context_window?: number;
}

const seconds = (time: Date | undefined) => Math.floor((time?.getTime() ?? 0) / 1000);

const languageModel = ({ id, provider, contextWindow }: Model): ListedModel => ({
  id,
  object: 'model',
  created: 0,
  owned_by: provider,
  name: id,
  context_window: contextWindow,
});

const agentModel = ({ id, name, description, createdAt }: Agent): ListedModel => ({
  id: AGENT + id,
  object: 'model',
  created: seconds(createdAt),
  owned_by: 'lectern',
  name,
  ...(description === undefined ? {} : { description }),
});

function standardModel(models: readonly Model[]): readonly ListedModel[] {
  const standard = models.find(({ isDefault }) => isDefault);
  if (standard === undefined) return [];
  return [{ ...languageModel(standard), id: DEFAULT_MODEL, name: 'Lectern', owned_by: 'lectern' }];
}

/** Lists the language models, the agents of the caller, and the embedding model. */
export async function listModels(ctx: Context, call: KeyedCall): Promise<readonly ListedModel[]> {
  const [{ models }, agents, embeddings] = await Promise.all([
    ctx.clients.chat.listModels({}, onBehalfOf(call)),
    listAgents(ctx, call),
    ctx.clients.search.listEmbeddingModels({}, onBehalfOf(call)),
  ]);
  const embedding = embeddings.models.map(({ id, provider }): ListedModel => {
    return { id, object: 'model', created: 0, owned_by: provider, name: id };
  });
  return [...standardModel(models), ...agents.map(agentModel), ...models.map(languageModel), ...embedding];
}

/** Returns one of them. Throws `not_found`. */
export async function getModel(ctx: Context, call: KeyedCall, id: string): Promise<ListedModel> {
  if (id.startsWith(AGENT)) return agentModel(await findAgent(ctx, call, id));
  const found = (await listModels(ctx, call)).find((model) => model.id === id);
  if (found === undefined) throw unknownModel(id);
  return found;
}
