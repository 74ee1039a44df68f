import { findConnectorType } from '@lectern/connectors';
import type { Connector, CreateConnectorRequest } from '@lectern/contracts';
import { invalidRequest, newId, notFound, requireReach, type ServiceCall } from '@lectern/service-kit';
import { nameIssues } from '../connectors/connector-name.ts';
import { toConnectorMessage } from '../connectors/to-message.ts';
import type { Context } from '../context.ts';
import { toJson } from '../jobs/json-ref.ts';

export const createConnector =
  (ctx: Context) =>
  async (request: CreateConnectorRequest, call: ServiceCall): Promise<Connector> => {
    const { teamId } = call.caller;
    const issues = nameIssues(request.name);
    if (issues.length > 0) throw invalidRequest(issues);
    const type = findConnectorType(request.type, ctx.types);
    const config = type.checkConfig(request.config);
    type.checkCredentials(request.credentials);
    const { collectionId } = request;
    requireReach(call.caller, collectionId);
    if (!(await ctx.index.collectionExists(teamId, collectionId, call.signal)))
      throw notFound('collection', collectionId);
    const row = await ctx.db.connector.create({
      data: {
        id: newId('connector'),
        teamId,
        collectionId,
        name: request.name.trim(),
        type: type.name,
        config: toJson(config),
      },
    });
    return toConnectorMessage(row);
  };
