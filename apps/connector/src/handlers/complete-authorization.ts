import { findConnectorType } from '@lectern/connectors';
import type { CompleteAuthorizationRequest, CompleteAuthorizationResponse } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';
import { type CallbackOutcome, finishAuthorization, storeFailure, userMessage } from '#oauth/authorize';
import { findOAuthApp } from '#oauth/oauth-apps';
import { type ConsumedState, consumeState } from '#oauth/state';

/** Returns why the authorization failed, or undefined if it succeeded. */
async function attempt(
  ctx: Context,
  connector: Connector,
  {
    state,
    outcome,
    call,
  }: { readonly state: ConsumedState; readonly outcome: CallbackOutcome; readonly call: ServiceCall },
): Promise<string | undefined> {
  try {
    const { oauth: provider } = findConnectorType(connector.type, ctx.types);
    if (provider === undefined) throw new TypeError(`Connectors of type ${connector.type} do not use OAuth.`);
    const app = findOAuthApp(ctx.config, connector.type);
    await finishAuthorization(ctx, connector, { app, provider, state, outcome });
    call.log.info({ connectorId: connector.id, provider: connector.type }, 'connector authorized');
    return undefined;
  } catch (error) {
    const reason = userMessage(error);
    if (reason === undefined) throw error;
    call.log.warn({ err: error, connectorId: connector.id }, 'connector authorization failed');
    await storeFailure(ctx, connector.id, reason);
    return reason;
  }
}

export const completeAuthorization =
  (ctx: Context) =>
  async (request: CompleteAuthorizationRequest, call: ServiceCall): Promise<CompleteAuthorizationResponse> => {
    const { provider, state: text, code, error, browserSecret } = request;
    const { teamId } = call.caller;
    const state = await consumeState(ctx, { state: text, teamId, provider }, browserSecret);
    const { connectorId, redirectUri } = state;
    const connector = await ctx.db.connector.findFirst({ where: { id: connectorId, teamId, type: provider } });
    if (connector === null) throw invalidRequest([{ path: 'state', message: 'belongs to a deleted connector' }]);
    const message = await attempt(ctx, connector, { state, outcome: { code, error }, call });
    return { connectorId, provider, success: message === undefined, redirectUri: redirectUri ?? undefined, message };
  };
