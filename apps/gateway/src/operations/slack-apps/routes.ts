import { slackApps } from '@lectern/api-spec';
import { AppError, invalidRequest, notFound, onBehalfOf, pageInfo, readPage } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { Prisma, SlackApp } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import { publicUrl } from '#http/public-url';
import { lockRights } from '#identity/credential';
import { slackAppRecord } from '#operations/slack-apps/mapping';
import { type KeyedCall, route } from '#pipeline/operation';
import {
  type AppChanges,
  createApp,
  deleteApp,
  failApp,
  findApp,
  listApps,
  MAX_APPS,
  openSecrets,
  type SlackSecrets,
  updateApp,
} from '#slack/app-store';
import { checkTokens, requireScopes } from '#slack/check-tokens';
import { postToChannel } from '#slack/post-to-channel';
import { slackManifest } from '#slack/scopes';

type Db = Prisma.TransactionClient;

async function requireApp(db: Db, teamId: string, id: string): Promise<SlackApp> {
  const app = await findApp(db, teamId, id);
  if (app === undefined) throw notFound('Slack app', id);
  return app;
}

const audited = (action: string, { id, name, workspaceName }: SlackApp, body: object = {}) => ({
  action,
  resourceType: 'slack_app',
  resourceId: id,
  // The names of the given fields. Their values can be secrets.
  details: { name, workspace: workspaceName, fields: Object.keys(body) },
});

/** Checks that collections and agent exist. Throws `invalid_request`. */
async function requireTargets(
  { clients }: Context,
  { collections = [], agentId }: AppChanges,
  call: KeyedCall,
): Promise<void> {
  const options = onBehalfOf(call);
  const check = async (path: string, read: () => Promise<unknown>) => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      throw invalidRequest([{ path, message: 'does not exist' }]);
    }
  };
  for (const [at, id] of collections.entries()) {
    await check(`collections.${at}`, () => clients.collections.getCollection({ id }, options));
  }
  if (agentId) await check('agentId', () => clients.agents.getAgent({ id: agentId }, options));
}

export const slackAppRoutes = [
  route(slackApps.listSlackApps, async ({ db }, { query }, call) => {
    const paging = readPage(query);
    const { apps, total } = await listApps(db, call.caller.teamId, paging);
    return page(apps.map(slackAppRecord), pageInfo(paging, total));
  }),

  route(slackApps.createSlackApp, async (ctx, { body }, call) => {
    const { botToken, signingSecret, appToken, ...settings } = body;
    await requireTargets(ctx, settings, call);
    const secrets: SlackSecrets = { botToken, signingSecret, appToken };
    const checked = await checkTokens(ctx, settings.transport, secrets);
    requireScopes(checked);
    const { missingScopes, ...installation } = checked;
    const created = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      if ((await listApps(tx, call.caller.teamId, { skip: 0, take: 0 })).total >= MAX_APPS) {
        throw new AppError('conflict', `The team has ${MAX_APPS} Slack apps, which is the limit. Delete one first.`);
      }
      const app = await createApp(tx, ctx.secrets, call.caller.teamId, { ...settings, ...installation }, secrets);
      if (app === undefined) {
        throw new AppError(
          'conflict',
          `This app of the workspace ${installation.workspaceName} was already added. Change it instead, or create another app in Slack.`,
        );
      }
      await recordAudit(tx, actorOf(call), audited('createSlackApp', app, body));
      return app;
    });
    return data(slackAppRecord(created));
  }),

  route(slackApps.getSlackApp, async ({ db }, { params: { id } }, call) =>
    data(slackAppRecord(await requireApp(db, call.caller.teamId, id))),
  ),

  route(slackApps.updateSlackApp, async (ctx, { params: { id }, body }, call) => {
    const { teamId } = call.caller;
    const stored = await requireApp(ctx.db, teamId, id);
    const { botToken, signingSecret, appToken, ...settings } = body;
    await requireTargets(ctx, settings, call);
    const hasSecrets = [botToken, signingSecret, appToken].some((secret) => secret !== undefined);
    const transport = settings.transport ?? stored.transport;
    let secrets: SlackSecrets | undefined;
    if (hasSecrets || transport !== stored.transport) {
      const known = openSecrets(ctx.secrets, stored);
      secrets = {
        botToken: botToken ?? known.botToken,
        signingSecret: signingSecret ?? known.signingSecret,
        appToken: appToken ?? known.appToken,
      };
      const checked = await checkTokens(ctx, transport, secrets);
      requireScopes(checked);
      if (checked.workspaceId !== stored.workspaceId || checked.botUserId !== stored.botUserId) {
        const message = `must belong to the same app in ${stored.workspaceName}. Add another app instead`;
        throw invalidRequest([{ path: 'botToken', message }]);
      }
    }
    const app = await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const before = await requireApp(tx, teamId, id);
      const after = await updateApp(tx, ctx.secrets, before, settings, secrets);
      await recordAudit(tx, actorOf(call), audited('updateSlackApp', after, body));
      return after;
    });
    return data(slackAppRecord(app));
  }),

  route(slackApps.deleteSlackApp, async (ctx, { params: { id } }, call) => {
    await ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const app = await requireApp(tx, call.caller.teamId, id);
      await recordAudit(tx, actorOf(call), audited('deleteSlackApp', app));
      await deleteApp(tx, id);
    });
    return data({ id, deleted: true });
  }),

  route(slackApps.testSlackApp, async (ctx, { params: { id } }, call) => {
    const app = await requireApp(ctx.db, call.caller.teamId, id);
    try {
      const { missingScopes, workspaceName } = await checkTokens(ctx, app.transport, openSecrets(ctx.secrets, app));
      const success = missingScopes.length === 0;
      const message = success
        ? `Connected to ${workspaceName}.`
        : 'The app lacks scopes. Add them in Slack and install the app again.';
      return data({ success, missingScopes, message });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      const issues: unknown = error.details?.issues;
      const [issue] = Array.isArray(issues) ? issues : [];
      const message = `The token ${String(Object(issue).message)}`;
      await failApp(ctx.db, app, message);
      return data({ success: false, missingScopes: [], message });
    }
  }),

  route(slackApps.postSlackMessage, async (ctx, { params: { id }, body: { channel, text } }, call) => {
    const { teamId } = call.caller;
    const posted = await postToChannel(ctx, { teamId, appId: id, channel, markdown: text });
    const details = { channel, ts: posted.ts };
    const action = { action: 'postSlackMessage', resourceType: 'slack_app', resourceId: id, details };
    await recordAudit(ctx.db, actorOf(call), action);
    return data(posted);
  }),

  route(slackApps.getSlackManifest, async ({ config }, { query: { transport } }, call) => {
    const { url } = publicUrl(config.PUBLIC_URL, call.host, call.client.isSecure);
    return data({ manifest: slackManifest(transport, url) });
  }),
];
