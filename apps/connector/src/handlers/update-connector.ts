import { isDeepStrictEqual } from 'node:util';
import { type ConnectorType, findConnectorType, type Settings } from '@lectern/connectors';
import type { Connector, UpdateConnectorRequest } from '@lectern/contracts';
import { AppError, invalidRequest, requireRevision, type ServiceCall } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';
import { nameIssues } from '../connectors/connector-name.ts';
import { findConnector } from '../connectors/find-connector.ts';
import { lockConnector } from '../connectors/lock-connector.ts';
import { requireCredentialsAgain } from '../connectors/require-credentials-again.ts';
import { connectorRevision, toConnectorMessage, WITH_SECRET } from '../connectors/to-message.ts';
import type { Context } from '../context.ts';
import { jsonObject } from '../files/json-object.ts';
import { toJson } from '../jobs/json-ref.ts';
import { askForPermissionRefresh } from '../schedule/ask-for-permission-refresh.ts';

/** The kept config with the given fields over it; a null takes its field away. */
function mergeConfig(kept: Settings, given: Settings): Settings {
  return Object.fromEntries(Object.entries({ ...kept, ...given }).filter(([, value]) => value !== null));
}

interface Change {
  readonly id: string;
  readonly type: ConnectorType;
  readonly config: Settings | undefined;
  /** Whether new ones come with the change. */
  readonly hasCredentials: boolean;
}

/**
 * Merges changed fields into the config and validates the result for the connector's type. Fields
 * that equal the stored ones stay unchanged.
 */
async function changedConfig(tx: Prisma.TransactionClient, { id, type, config, hasCredentials }: Change) {
  if (config === undefined) return {};
  const row = await tx.connector.findUniqueOrThrow({ where: { id }, select: { config: true } });
  const kept = jsonObject(row.config);
  const merged = mergeConfig(kept, config);
  if (isDeepStrictEqual(merged, kept)) return {};
  const isKept = (name: string) => name in kept && isDeepStrictEqual(merged[name], kept[name]);
  const next: Settings = Object.fromEntries(
    Object.entries(type.checkConfig(merged)).map(([name, value]) => [name, isKept(name) ? kept[name] : value]),
  );
  const isSecret = (await tx.connectorSecret.count({ where: { connectorId: id } })) > 0;
  if (isSecret && !hasCredentials) requireCredentialsAgain(type, kept, next);
  if (!isDeepStrictEqual(kept.principals, next.principals)) await askForPermissionRefresh(tx, id);
  return { config: toJson(next) };
}

export const updateConnector =
  (ctx: Context) =>
  async (request: UpdateConnectorRequest, { caller }: ServiceCall): Promise<Connector> => {
    const found = await findConnector(ctx, caller, request.id);
    if (found.status === 'deleting') throw new AppError('conflict', 'The connector is being deleted.');
    const { id } = found;
    const { name, config } = request;
    const issues = name === undefined ? [] : nameIssues(name);
    if (issues.length > 0) throw invalidRequest(issues);
    const type = findConnectorType(found.type, ctx.types);
    const credentials = request.credentials && type.checkCredentials(request.credentials);
    const row = await ctx.db.$transaction(async (tx) => {
      await lockConnector(tx, id);
      const locked = await tx.connector.findUniqueOrThrow({ where: { id }, include: WITH_SECRET });
      requireRevision(request.precondition, connectorRevision(locked));
      // A request cannot replace credentials that came from an OAuth authorisation.
      const isGiven = credentials !== undefined && type.oauth === undefined;
      const change = { id, type, config, hasCredentials: isGiven };
      const data = {
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(await changedConfig(tx, change)),
      };
      if (isGiven) await ctx.secrets.give(tx, found, credentials);
      return tx.connector.update({ where: { id }, data, include: WITH_SECRET });
    });
    return toConnectorMessage(row);
  };
