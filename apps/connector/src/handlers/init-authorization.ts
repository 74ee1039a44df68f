import type { ConnectorType, OAuthProvider } from '@lectern/connectors';
import type { InitAuthorizationRequest, InitAuthorizationResponse } from '@lectern/contracts';
import { AppError, invalidRequest, newId, notFound, requireReach, type ServiceCall } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import { nameIssues } from '../connectors/connector-name.ts';
import { findConnector } from '../connectors/find-connector.ts';
import { makeConnector } from '../connectors/make-connector.ts';
import type { Context } from '../context.ts';
import { beginAuthorization } from '../oauth/begin-authorization.ts';
import { findOAuthApp } from '../oauth/oauth-apps.ts';

function findProvider(ctx: Context, name: string): { readonly type: ConnectorType; readonly oauth: OAuthProvider } {
  const type = ctx.types.find((candidate) => candidate.name === name);
  if (type?.oauth !== undefined) return { type, oauth: type.oauth };
  const known = ctx.types.filter(({ oauth }) => oauth !== undefined).map((candidate) => candidate.name);
  throw invalidRequest([{ path: 'provider', message: `must be one of: ${known.join(', ')}` }]);
}

async function existing(ctx: Context, type: ConnectorType, id: string, call: ServiceCall): Promise<Connector> {
  const connector = await findConnector(ctx, call.caller, id);
  if (connector.status === 'deleting') throw new AppError('conflict', 'The connector is being deleted.');
  if (connector.type === type.name) return connector;
  throw invalidRequest([{ path: 'connectorId', message: `is a connector of type ${connector.type}` }]);
}

async function made(
  ctx: Context,
  type: ConnectorType,
  { name, collectionId }: InitAuthorizationRequest,
  call: ServiceCall,
): Promise<Connector> {
  if (name === undefined || collectionId === undefined) {
    throw invalidRequest([{ path: 'connectorId', message: 'is required where name and collection are not given' }]);
  }
  const issues = nameIssues(name);
  if (issues.length > 0) throw invalidRequest(issues);
  const { teamId } = call.caller;
  requireReach(call.caller, collectionId);
  if (!(await ctx.index.collectionExists(teamId, collectionId, call.signal))) {
    throw notFound('collection', collectionId);
  }
  const id = newId('connector');
  const settings = { config: type.checkConfig({}), credentials: {} };
  return makeConnector(ctx, { id, teamId, collectionId, name: name.trim(), type, ...settings });
}

export const initAuthorization =
  (ctx: Context) =>
  async (request: InitAuthorizationRequest, call: ServiceCall): Promise<InitAuthorizationResponse> => {
    const { connectorId, name, collectionId, callbackUrl, redirectUri, browserSecret } = request;
    const { type, oauth } = findProvider(ctx, request.provider);
    if (connectorId !== undefined && (name !== undefined || collectionId !== undefined)) {
      throw invalidRequest([{ path: 'connectorId', message: 'is given instead of name and collection' }]);
    }
    const app = findOAuthApp(ctx.config, type.name);
    ctx.secrets.requireKeys();
    const connector =
      connectorId === undefined ? await made(ctx, type, request, call) : await existing(ctx, type, connectorId, call);
    const order = { connector, app, provider: oauth, callbackUrl, redirectUri, browserSecret };
    const begun = await beginAuthorization(ctx, order);
    return { ...begun, connectorId: connector.id };
  };
