import type {
  CreateModelEndpointRequest,
  DeleteModelEndpointRequest,
  GetModelEndpointRequest,
  ListModelEndpointsRequest,
  ModelEndpointReport,
  TestModelEndpointRequest,
  UpdateModelEndpointRequest,
} from '@lectern/contracts';
import { openEndpointKey, testEndpoint } from '@lectern/llm';
import {
  AppError,
  createOnce,
  invalidRequest,
  pageInfo,
  readPage,
  requireRevision,
  type ServiceCall,
} from '@lectern/service-kit';
import type { Context } from '#context';
import type { ModelEndpoint } from '#gen/prisma/client';
import {
  checkEndpointFields,
  keyRequiredAgain,
  MAX_ENDPOINTS,
  parseProvider,
  requireKey,
  storedModels,
} from '#model-endpoints/endpoint-fields';
import {
  changeModels,
  endpointModels,
  endpointRevision,
  readEndpoint,
  requireNoDefault,
  requireOwnModels,
  requireWholeTeam,
  sealKey,
  toEndpoint,
} from '#model-endpoints/endpoint-rows';

/** The name of an endpoint in a report before it is stored. */
const NEW_NAME = 'new endpoint';

/** Stores a model endpoint. Does not connect to it. */
export const createModelEndpoint =
  ({ db, secrets }: Context) =>
  async (request: CreateModelEndpointRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    const provider = parseProvider(request.provider);
    checkEndpointFields(request);
    const { teamId } = caller;
    const key = request.key || undefined;
    const url = request.url || null;
    requireKey({ provider, url }, key !== undefined);
    const models = storedModels(request.models);
    const endpoint = await createOnce({
      kind: 'model_endpoint',
      id: request.id,
      find: (id) => db.modelEndpoint.findUnique({ where: { id, teamId } }),
      create: (id) =>
        changeModels(db, teamId, async (tx) => {
          if ((await tx.modelEndpoint.count({ where: { teamId } })) >= MAX_ENDPOINTS) {
            throw new AppError(
              'conflict',
              `A team can have at most ${MAX_ENDPOINTS} model endpoints. Delete one that is not needed first.`,
            );
          }
          await requireOwnModels(tx, teamId, models, undefined);
          const sealed = sealKey(secrets, { id, teamId }, key);
          return tx.modelEndpoint.create({
            data: { id, teamId, name: request.name.trim(), provider, url, models, ...sealed },
          });
        }),
    });
    return toEndpoint(endpoint);
  };

export const getModelEndpoint =
  ({ db }: Context) =>
  async ({ id }: GetModelEndpointRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    return toEndpoint(await readEndpoint(db, caller, id));
  };

export const listModelEndpoints =
  ({ db }: Context) =>
  async ({ page: pageRequest }: ListModelEndpointsRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    const page = readPage(pageRequest);
    const where = { teamId: caller.teamId };
    const orderBy = [{ name: 'asc' }, { id: 'asc' }] as const;
    const [endpoints, total] = await db.$transaction([
      db.modelEndpoint.findMany({ where, orderBy: [...orderBy], skip: page.skip, take: page.take }),
      db.modelEndpoint.count({ where }),
    ]);
    return { endpoints: endpoints.map(toEndpoint), page: pageInfo(page, total) };
  };

/**
 * Changes the given fields of a model endpoint. A new address needs the key again: who may change the
 * address does not necessarily know it.
 */
export const updateModelEndpoint =
  ({ db, secrets }: Context) =>
  async (request: UpdateModelEndpointRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    await readEndpoint(db, caller, request.id);
    const given = request.models?.models;
    checkEndpointFields({ ...request, models: given });
    const { name, key } = request;
    const endpoint = await changeModels(db, caller.teamId, async (tx) => {
      const found = await readEndpoint(tx, caller, request.id);
      requireRevision(request.precondition, endpointRevision(found));
      const url = request.url === undefined ? found.url : request.url || null;
      if (url !== found.url && found.sealed !== null && key === undefined) throw keyRequiredAgain();
      const hasKey = key === undefined ? found.sealed !== null : key !== '';
      requireKey({ provider: parseProvider(found.provider), url }, hasKey);
      const models = given === undefined ? undefined : storedModels(given);
      if (models !== undefined) {
        await requireOwnModels(tx, found.teamId, models, found.id);
        const removed = endpointModels(found).filter(({ id }) => !models.some((model) => model.id === id));
        await requireNoDefault(tx, found.teamId, removed);
      }
      return tx.modelEndpoint.update({
        where: { id: found.id },
        data: {
          ...(name === undefined ? {} : { name: name.trim() }),
          url,
          ...(models === undefined ? {} : { models }),
          ...(key === undefined ? {} : sealKey(secrets, found, key || undefined)),
        },
      });
    });
    return toEndpoint(endpoint);
  };

export const deleteModelEndpoint =
  ({ db }: Context) =>
  async ({ id, precondition }: DeleteModelEndpointRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    await changeModels(db, caller.teamId, async (tx) => {
      const found = await readEndpoint(tx, caller, id);
      requireRevision(precondition, endpointRevision(found));
      await requireNoDefault(tx, found.teamId, endpointModels(found));
      await tx.modelEndpoint.delete({ where: { id } });
    });
    return { id };
  };

/** Returns the address and the key to test: those of the request, otherwise the stored ones. */
function testTarget({ secrets }: Context, request: TestModelEndpointRequest, stored: ModelEndpoint | undefined) {
  const provider = parseProvider(stored?.provider ?? request.provider);
  if (request.provider !== undefined && request.provider !== provider) {
    throw invalidRequest([{ path: 'provider', message: `must be ${provider}, that of the endpoint, or omitted` }]);
  }
  const url = request.url === undefined ? (stored?.url ?? null) : request.url || null;
  const moves = stored !== undefined && stored.sealed !== null && url !== stored.url;
  if (moves && request.key === undefined) throw keyRequiredAgain();
  const key = request.key === undefined ? storedKey(secrets, stored) : request.key || undefined;
  requireKey({ provider, url }, key !== undefined);
  return { address: { name: stored?.name ?? NEW_NAME, provider, baseUrl: url ?? undefined }, key };
}

function storedKey(secrets: Context['secrets'], stored: ModelEndpoint | undefined): string | undefined {
  if (stored === undefined) return undefined;
  const { id, teamId, sealed, wrappedKey, masterKeyVersion } = stored;
  if (sealed === null || wrappedKey === null || masterKeyVersion === null) return undefined;
  return openEndpointKey({ sealed, wrappedKey, masterKeyVersion }, secrets, { row: id, team: teamId });
}

/** Connects to an endpoint and reports what happened. Stores nothing. */
export const testModelEndpoint =
  (context: Context) =>
  async (request: TestModelEndpointRequest, { caller, signal, log }: ServiceCall): Promise<ModelEndpointReport> => {
    requireWholeTeam(caller);
    const stored = request.id === undefined ? undefined : await readEndpoint(context.db, caller, request.id);
    const model = request.model === undefined ? undefined : { id: request.model };
    checkEndpointFields(request);
    const { address, key } = testTarget(context, request, stored);
    const startedAt = performance.now();
    const options = { ...context.endpointOptions, model };
    const { models, listError, error, model: asked } = await testEndpoint(address, key, options, signal);
    for (const err of [listError, error])
      if (err) log.info({ err, endpointId: stored?.id }, 'the test of a model endpoint failed');
    return {
      success: error === undefined,
      latencyMs: Math.round(performance.now() - startedAt),
      models: models.map(({ id, contextWindow }) => ({ id, contextWindow })),
      listErrorCode: listError?.code,
      listErrorMessage: listError?.message,
      model: asked,
      errorCode: error?.code,
      errorMessage: error?.message,
    };
  };
