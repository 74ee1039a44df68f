import { isId, type ModelEndpoint as ModelEndpointMessage } from '@lectern/contracts';
import type { EndpointModel } from '@lectern/llm';
import { AppError, type Caller, digestOf, notFound, requireFullScope, type Secrets } from '@lectern/service-kit';
import { z } from 'zod';
import type { ModelEndpoint, Prisma, PrismaClient } from '#gen/prisma/client';

type Database = Prisma.TransactionClient;

const stored = z.array(z.object({ id: z.string(), contextWindow: z.number().optional() }));

/** Returns the models of a stored endpoint. */
export const endpointModels = ({ models }: Pick<ModelEndpoint, 'models'>): readonly EndpointModel[] =>
  stored.parse(models);

/** Throws `forbidden` for a caller of restricted scope: endpoints belong to the whole team. */
export const requireWholeTeam = (caller: Caller): void => requireFullScope(caller, 'manage model endpoints');

/** Changes the endpoints or the settings of a team. Changes of one team run one after another. */
export function changeModels<T>(db: PrismaClient, teamId: string, change: (tx: Database) => Promise<T>): Promise<T> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`models ${teamId}`}, 0))`;
    return change(tx);
  });
}

/** Returns an endpoint of the caller's team. Throws `not_found`. */
export async function readEndpoint(db: Database, { teamId }: Caller, id: string): Promise<ModelEndpoint> {
  const endpoint = isId('model_endpoint', id) ? await db.modelEndpoint.findFirst({ where: { id, teamId } }) : null;
  if (endpoint === null) throw notFound('model_endpoint', id);
  return endpoint;
}

/** Throws `conflict` if another endpoint of the team offers one of these models. */
export async function requireOwnModels(
  db: Database,
  teamId: string,
  models: readonly EndpointModel[],
  exceptId: string | undefined,
): Promise<void> {
  const others = await db.modelEndpoint.findMany({ where: { teamId } });
  const wanted = new Set(models.map(({ id }) => id));
  for (const other of others) {
    const twice = other.id === exceptId ? undefined : endpointModels(other).find(({ id }) => wanted.has(id));
    if (twice === undefined) continue;
    throw new AppError(
      'conflict',
      `The endpoint “${other.name}” already offers the model ${twice.id}. Remove it there first.`,
      { details: { field: 'models' } },
    );
  }
}

/** Throws `conflict` if the default model of the team is among these models. */
export async function requireNoDefault(db: Database, teamId: string, models: readonly EndpointModel[]): Promise<void> {
  const settings = await db.modelSetting.findUnique({ where: { teamId } });
  const removed = models.find(({ id }) => id === settings?.defaultModel);
  if (removed === undefined) return;
  throw new AppError(
    'conflict',
    `The model ${removed.id} is the default of the team. Choose another default model first.`,
  );
}

/** Returns the columns of a sealed key. Throws `unavailable` without a master key. */
export function sealKey(
  secrets: Secrets,
  { id, teamId }: Pick<ModelEndpoint, 'id' | 'teamId'>,
  key: string | undefined,
) {
  if (key === undefined) return { sealed: null, wrappedKey: null, masterKeyVersion: null };
  return secrets.seal({ key }, { row: id, team: teamId });
}

/** The revision of the fields that an update can change. The key counts by its ciphertext. */
export function endpointRevision({ name, url, models, sealed }: ModelEndpoint): string {
  return digestOf([name, url, models, sealed === null ? null : Buffer.from(sealed).toString('base64')]);
}

/** Converts an endpoint to its contract form. */
export const toEndpoint = (endpoint: ModelEndpoint): ModelEndpointMessage => ({
  id: endpoint.id,
  name: endpoint.name,
  provider: endpoint.provider,
  url: endpoint.url ?? undefined,
  hasKey: endpoint.sealed !== null,
  models: endpointModels(endpoint).map(({ id, contextWindow }) => ({ id, contextWindow })),
  createdAt: endpoint.createdAt,
  updatedAt: endpoint.updatedAt,
  revision: endpointRevision(endpoint),
});
