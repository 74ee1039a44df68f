import type { ConnectorType, OAuthProvider } from '@lectern/connectors';
import type { InitAuthorizationRequest, InitAuthorizationResponse } from '@lectern/contracts';
import { invalidRequest, newId, notFound, requireInScope, type ServiceCall } from '@lectern/service-kit';
import { beingDeleted, findConnector, insertConnector } from '#connectors/connector';
import { nameIssues } from '#connectors/settings';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';
import { startAuthorization } from '#oauth/authorize';
import { findOAuthApp } from '#oauth/oauth-apps';

function findProvider(ctx: Context, name: string): { readonly type: ConnectorType; readonly oauth: OAuthProvider } {
  const type = ctx.types.find((candidate) => candidate.name === name);
  if (type?.oauth !== undefined) return { type, oauth: type.oauth };
  const known = ctx.types.filter(({ oauth }) => oauth !== undefined).map((candidate) => candidate.name);
  throw invalidRequest([{ path: 'provider', message: `must be one of: ${known.join(', ')}` }]);
}

async function findExisting(ctx: Context, type: ConnectorType, id: string, call: ServiceCall): Promise<Connector> {
  const connector = await findConnector(ctx, call.caller, id);
  if (connector.status === 'deleting') throw beingDeleted();
  if (connector.type === type.name) return connector;
  const message = `has type ${connector.type}, but the provider is ${type.name}`;
  throw invalidRequest([{ path: 'connectorId', message }]);
}

async function createNew(
  ctx: Context,
  type: ConnectorType,
  { name, collectionId }: InitAuthorizationRequest,
  call: ServiceCall,
): Promise<Connector> {
  if (name === undefined || collectionId === undefined) {
    throw invalidRequest([{ path: 'connectorId', message: 'is required without name and collection' }]);
  }
  const issues = nameIssues(name);
  if (issues.length > 0) throw invalidRequest(issues);
  const { teamId } = call.caller;
  requireInScope(call.caller, collectionId);
  if (!(await ctx.index.collectionExists(teamId, collectionId, call.signal))) {
    throw notFound('collection', collectionId);
  }
  const id = newId('connector');
  const settings = { config: type.checkConfig({}), credentials: {} };
  return insertConnector(ctx, { id, teamId, collectionId, name: name.trim(), type, ...settings });
}

export const initAuthorization =
  (ctx: Context) =>
  async (request: InitAuthorizationRequest, call: ServiceCall): Promise<InitAuthorizationResponse> => {
    const { connectorId, name, collectionId, callbackUrl, redirectUri, browserSecret } = request;
    const { type, oauth } = findProvider(ctx, request.provider);
    if (connectorId !== undefined && (name !== undefined || collectionId !== undefined)) {
      throw invalidRequest([{ path: 'connectorId', message: 'cannot be combined with name and collection' }]);
    }
    const app = findOAuthApp(ctx.config, type.name);
    ctx.secrets.requireKeys();
    const connector =
      connectorId === undefined
        ? await createNew(ctx, type, request, call)
        : await findExisting(ctx, type, connectorId, call);
    const options = { connector, app, provider: oauth, callbackUrl, redirectUri, browserSecret };
    const started = await startAuthorization(ctx, options);
    return { ...started, connectorId: connector.id };
  };
