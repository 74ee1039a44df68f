import { findConnectorType } from '@lectern/connectors';
import type { Connector, CreateConnectorRequest } from '@lectern/contracts';
import { createOnce, invalidRequest, notFound, requireInScope, type ServiceCall } from '@lectern/service-kit';
import { insertConnector, toConnectorMessage, WITH_SECRET } from '#connectors/connector';
import { checkSettings, nameIssues } from '#connectors/settings';
import type { Context } from '#context';

export const createConnector =
  (ctx: Context) =>
  async (request: CreateConnectorRequest, call: ServiceCall): Promise<Connector> => {
    const { teamId } = call.caller;
    const issues = nameIssues(request.name);
    if (issues.length > 0) throw invalidRequest(issues);
    const type = findConnectorType(request.type, ctx.types);
    const { config, credentials } = checkSettings(type, request);
    const { collectionId } = request;
    requireInScope(call.caller, collectionId);
    if (!(await ctx.index.collectionExists(teamId, collectionId, call.signal))) {
      throw notFound('collection', collectionId);
    }
    const fields = { teamId, collectionId, name: request.name.trim(), type, config, credentials };
    const connector = await createOnce({
      kind: 'connector',
      id: request.id,
      find: (id) => ctx.db.connector.findUnique({ where: { id, teamId }, include: WITH_SECRET }),
      create: (id) => insertConnector(ctx, { id, ...fields }),
    });
    return toConnectorMessage(connector, call.caller);
  };
