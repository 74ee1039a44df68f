import { findConnectorType } from '@lectern/connectors';
import type { Connector, UpdateConnectorRequest } from '@lectern/contracts';
import { AppError, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { nameIssues } from '../connectors/connector-name.ts';
import { findConnector } from '../connectors/find-connector.ts';
import { lockConnector } from '../connectors/lock-connector.ts';
import { toConnectorMessage } from '../connectors/to-message.ts';
import type { Context } from '../context.ts';
import { jsonObject } from '../files/json-object.ts';
import { toJson } from '../jobs/json-ref.ts';

/** The kept config with the given fields over it; a null takes its field away. */
function mergeConfig(kept: unknown, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const merged = { ...jsonObject(kept), ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

export const updateConnector =
  (ctx: Context) =>
  async (request: UpdateConnectorRequest, { caller }: ServiceCall): Promise<Connector> => {
    const found = await findConnector(ctx, caller, request.id);
    if (found.status === 'deleting') throw new AppError('conflict', 'The connector is being deleted.');
    const { name, config } = request;
    const issues = name === undefined ? [] : nameIssues(name);
    if (issues.length > 0) throw invalidRequest(issues);
    const type = findConnectorType(found.type, ctx.types);
    if (request.credentials !== undefined) type.checkCredentials(request.credentials);
    const row = await ctx.db.$transaction(async (tx) => {
      await lockConnector(tx, found.id);
      const { config: kept } = await tx.connector.findUniqueOrThrow({ where: { id: found.id } });
      return tx.connector.update({
        where: { id: found.id },
        data: {
          ...(name === undefined ? {} : { name: name.trim() }),
          ...(config === undefined ? {} : { config: toJson(type.checkConfig(mergeConfig(kept, config))) }),
        },
      });
    });
    return toConnectorMessage(row);
  };
