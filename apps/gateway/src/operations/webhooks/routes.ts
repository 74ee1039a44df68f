import { webhooks } from '@lectern/api-spec';
import { AppError, invalidRequest, newId, notFound, pageInfo, readPage } from '@lectern/service-kit';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { Prisma, Webhook } from '#gen/prisma/client';
import { data, page } from '#http/api-response';
import { requireRight } from '#keys/rights';
import { requireCollections } from '#operations/api-keys/pairs';
import { deliveryItem, deliveryRecord, webhookRecord } from '#operations/webhooks/mapping';
import { type KeyedCall, route } from '#pipeline/operation';
import { rightFor } from '#webhooks/creators';
import { lockWebhook, replay, storeTest } from '#webhooks/deliveries';
import { sendTo } from '#webhooks/dispatcher';
import { isRecorded, renewInterest } from '#webhooks/interests';
import { urlProblem } from '#webhooks/send-event';
import { newSigningSecret } from '#webhooks/signing-secret';
import { countPending } from '#webhooks/store-events';
import { openSecrets, sealSecret } from '#webhooks/webhook-secrets';
import {
  attemptsEnded,
  countWebhooks,
  findDelivery,
  findWebhook,
  insertTest,
  listDeliveries,
  listWebhooks,
  MAX_WEBHOOKS,
} from '#webhooks/webhook-store';

type Db = Prisma.TransactionClient;

/** Returns the records of webhooks. */
async function recordsOf({ config, db }: Context, rows: readonly Webhook[]) {
  const teams = rows.map(({ teamId }) => teamId);
  const interests = await db.webhookInterest.findMany({ where: { teamId: { in: teams } } });
  const now = new Date();
  return Promise.all(
    rows.map(async (webhook) => {
      const stored = interests.find(({ teamId }) => teamId === webhook.teamId)?.stored ?? {};
      return webhookRecord(webhook, {
        isRecorded: isRecorded(webhook.events, webhook.interestVersion, stored),
        pending: await countPending(db, webhook.id, config.WEBHOOK_MAX_PENDING),
        now,
      });
    }),
  );
}

async function recordOf(ctx: Context, webhook: Webhook) {
  const [record] = await recordsOf(ctx, [webhook]);
  return { ...record };
}

async function requireWebhook(db: Db, { caller }: KeyedCall, id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, caller, id);
  if (webhook === undefined) throw notFound('webhook', id);
  return webhook;
}

/** Locks a webhook that the caller may manage. */
async function requireLocked(tx: Db, call: KeyedCall, id: string): Promise<Webhook> {
  await requireWebhook(tx, call, id);
  await lockWebhook(tx, id);
  return requireWebhook(tx, call, id);
}

function requireUsableUrl({ config }: Context, url: string): void {
  const problem = urlProblem(url, config.WEBHOOK_ALLOW_HTTP);
  if (problem !== undefined) throw invalidRequest([{ path: 'url', message: problem }]);
}

/** A key must not receive events that it could not read. Throws `forbidden`. */
function requireEventRights({ key }: KeyedCall, events: readonly string[]): void {
  for (const type of events) {
    const right = rightFor(type);
    if (right !== undefined) requireRight(key, right);
  }
}

const audited = (action: string, resourceId: string, details: Prisma.InputJsonObject = {}) => ({
  action,
  resourceType: 'webhook',
  resourceId,
  details,
});

/** An enabled webhook forgets its failures. */
const ENABLED = {
  disabledReason: null,
  disabledAt: null,
  failures: 0,
  failingSince: null,
  pausedUntil: null,
  dropped: 0,
  droppedAt: null,
} as const;

async function requireDelivery(db: Db, { caller }: KeyedCall, webhookId: string, id: string) {
  const delivery = await findDelivery(db, caller, webhookId, id);
  if (delivery === undefined) throw notFound('delivery', id);
  return delivery;
}

export const webhookRoutes = [
  route(webhooks.listWebhooks, async (ctx, { query }, { caller }) => {
    const paging = readPage(query);
    const found = await listWebhooks(ctx.db, caller, paging);
    return page(await recordsOf(ctx, found.webhooks), pageInfo(paging, found.total));
  }),

  route(webhooks.createWebhook, async (ctx, { body }, call) => {
    requireUsableUrl(ctx, body.url);
    requireEventRights(call, body.events);
    await requireCollections(ctx, body.collections, call, { field: 'collections' });
    const { teamId } = call.caller;
    const secret = newSigningSecret();
    const id = newId('webhook');
    const sealed = sealSecret(ctx.secrets, { id, teamId }, secret);
    const webhook = await ctx.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
      if ((await countWebhooks(tx, teamId)) >= MAX_WEBHOOKS) {
        throw new AppError('conflict', `The team has ${MAX_WEBHOOKS} webhooks, which is the limit. Delete one first.`);
      }
      await tx.webhook.create({ data: { id, teamId, ...body, createdBy: call.key.pairId, ...sealed } });
      const interestVersion = await renewInterest(tx, teamId);
      await recordAudit(tx, actorOf(call), audited('createWebhook', id, { events: body.events }));
      return tx.webhook.update({ where: { id }, data: { interestVersion } });
    });
    await ctx.webhooks.sendInterests(teamId);
    return data({ ...(await recordOf(ctx, webhook)), secret });
  }),

  route(webhooks.getWebhook, async (ctx, { params: { id } }, call) =>
    data(await recordOf(ctx, await requireWebhook(ctx.db, call, id))),
  ),

  route(webhooks.updateWebhook, async (ctx, { params: { id }, body }, call) => {
    if (body.url !== undefined) requireUsableUrl(ctx, body.url);
    const stored = await requireWebhook(ctx.db, call, id);
    requireEventRights(call, body.events?.filter((type) => !stored.events.includes(type)) ?? []);
    await requireCollections(ctx, body.collections, call, { field: 'collections', current: stored.collections });
    const { teamId } = call.caller;
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const webhook = await ctx.db.$transaction(async (tx) => {
      const before = await requireLocked(tx, call, id);
      const isEnabled = body.enabled === true && !before.enabled;
      await tx.webhook.update({ where: { id }, data: { ...given, ...(isEnabled ? ENABLED : {}) } });
      const interestVersion = await renewInterest(tx, teamId);
      await recordAudit(tx, actorOf(call), audited('updateWebhook', id, { fields: Object.keys(given) }));
      return tx.webhook.update({ where: { id }, data: { interestVersion } });
    });
    await ctx.webhooks.sendInterests(teamId);
    return data(await recordOf(ctx, webhook));
  }),

  route(webhooks.deleteWebhook, async (ctx, { params: { id } }, call) => {
    const { teamId } = call.caller;
    await ctx.db.$transaction(async (tx) => {
      await requireLocked(tx, call, id);
      await tx.webhook.update({ where: { id }, data: { deletedAt: new Date() } });
      await renewInterest(tx, teamId);
      await recordAudit(tx, actorOf(call), audited('deleteWebhook', id));
    });
    // If this is interrupted, a purge deletes the row later.
    await attemptsEnded(ctx.db, id, call.signal);
    await ctx.db.webhook.deleteMany({ where: { id } });
    await ctx.webhooks.sendInterests(teamId);
    return data({ id, deleted: true });
  }),

  route(webhooks.rotateWebhookSecret, async (ctx, { params: { id }, body: { overlapSeconds } }, call) => {
    const secret = newSigningSecret();
    const webhook = await ctx.db.$transaction(async (tx) => {
      const before = await requireLocked(tx, call, id);
      // Fails now if the previous secret could not sign during the overlap.
      openSecrets(ctx.secrets, before, new Date());
      await recordAudit(tx, actorOf(call), audited('rotateWebhookSecret', id, { overlapSeconds }));
      return tx.webhook.update({
        where: { id },
        data: {
          ...sealSecret(ctx.secrets, before, secret),
          oldSealed: before.sealed,
          oldWrappedKey: before.wrappedKey,
          oldMasterKeyVersion: before.masterKeyVersion,
          oldUntil: new Date(Date.now() + overlapSeconds * 1_000),
        },
      });
    });
    return data({ ...(await recordOf(ctx, webhook)), secret });
  }),

  route(webhooks.testWebhook, async (ctx, { params: { id } }, call) => {
    const webhook = await requireWebhook(ctx.db, call, id);
    const { event, deliveryId } = await ctx.db.$transaction((tx) => insertTest(tx, webhook, new Date()));
    const sent = await sendTo(ctx.webhooks.dispatch, webhook, event);
    await recordAudit(ctx.db, actorOf(call), audited('testWebhook', id));
    await storeTest(ctx.db, deliveryId, sent, new Date());
    return data(deliveryRecord(await requireDelivery(ctx.db, call, id, deliveryId)));
  }),

  route(webhooks.listDeliveries, async (ctx, { params: { id }, query: { status, type, ...query } }, call) => {
    await requireWebhook(ctx.db, call, id);
    const paging = readPage(query);
    const found = await listDeliveries(ctx.db, call.caller, { webhookId: id, status, type }, paging);
    return page(found.deliveries.map(deliveryItem), pageInfo(paging, found.total));
  }),

  route(webhooks.getDelivery, async (ctx, { params: { id, deliveryId } }, call) => {
    await requireWebhook(ctx.db, call, id);
    return data(deliveryRecord(await requireDelivery(ctx.db, call, id, deliveryId)));
  }),

  route(webhooks.replayDelivery, async (ctx, { params: { id, deliveryId } }, call) => {
    const delivery = await ctx.db.$transaction(async (tx) => {
      const { enabled } = await requireLocked(tx, call, id);
      const before = await requireDelivery(tx, call, id, deliveryId);
      if (!enabled) throw new AppError('conflict', 'The webhook is disabled. Enable it, then replay the delivery.');
      if (before.event.type === 'webhook.test') {
        throw new AppError('conflict', 'A test event cannot be replayed. Send another one.');
      }
      await recordAudit(tx, actorOf(call), audited('replayDelivery', id, { deliveryId }));
      return replay(tx, deliveryId, new Date());
    });
    return data(deliveryRecord(delivery));
  }),
];
