import { isDeepStrictEqual } from 'node:util';
import { type ConnectorType, findConnectorType, type Settings } from '@lectern/connectors';
import type { Connector, UpdateConnectorRequest } from '@lectern/contracts';
import { invalidRequest, requireRevision, type ServiceCall } from '@lectern/service-kit';
import { jsonObject, toJson } from '#common/json';
import {
  authorizeConnector,
  beingDeleted,
  connectorRevision,
  findConnector,
  lockConnector,
  toConnectorMessage,
  WITH_SECRET,
} from '#connectors/connector';
import { nameIssues, requireCredentialsAgain } from '#connectors/settings';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { requestPermissionRefresh } from '#sync/store/sync-state';

/** Merges changed fields into the stored config. Null removes a field. */
function mergeConfig(stored: Settings, changed: Settings): Settings {
  return Object.fromEntries(Object.entries({ ...stored, ...changed }).filter(([, value]) => value !== null));
}

interface Change {
  readonly id: string;
  readonly type: ConnectorType;
  readonly config: Settings | undefined;
  /** True if the change includes new credentials. */
  readonly hasCredentials: boolean;
}

/**
 * Merges changed fields into the config and validates the result for the connector's type. Fields
 * that equal the stored ones do not change.
 */
async function changedConfig(tx: Prisma.TransactionClient, { id, type, config, hasCredentials }: Change) {
  if (config === undefined) return {};
  const row = await tx.connector.findUniqueOrThrow({ where: { id }, select: { config: true } });
  const stored = jsonObject(row.config);
  const merged = mergeConfig(stored, config);
  if (isDeepStrictEqual(merged, stored)) return {};
  const isUnchanged = (name: string) => name in stored && isDeepStrictEqual(merged[name], stored[name]);
  const next: Settings = Object.fromEntries(
    Object.entries(type.checkConfig(merged)).map(([name, value]) => [name, isUnchanged(name) ? stored[name] : value]),
  );
  const isSecret = (await tx.connectorSecret.count({ where: { connectorId: id } })) > 0;
  if (isSecret && !hasCredentials) requireCredentialsAgain(type, stored, next);
  const hasOtherReaders = type.readerFields.some((field) => !isDeepStrictEqual(stored[field], next[field]));
  if (hasOtherReaders) await requestPermissionRefresh(tx, id);
  return { config: toJson(next) };
}

export const updateConnector =
  (ctx: Context) =>
  async (request: UpdateConnectorRequest, { caller }: ServiceCall): Promise<Connector> => {
    const found = await findConnector(ctx, caller, request.id);
    if (found.status === 'deleting') throw beingDeleted();
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
      // Empty credentials do not replace those that came from an OAuth authorization.
      const isGiven = credentials !== undefined && !type.needsAuthorization(credentials);
      const change = { id, type, config, hasCredentials: isGiven };
      const data = {
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(await changedConfig(tx, change)),
      };
      if (isGiven) await ctx.secrets.replace(tx, found, credentials);
      if (isGiven && type.oauth !== undefined) await authorizeConnector(tx, id);
      return tx.connector.update({ where: { id }, data, include: WITH_SECRET });
    });
    return toConnectorMessage(row, caller);
  };
