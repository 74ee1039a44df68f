import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressGuard, type EgressGuard, parseEgressAllow } from '@lectern/egress';
import {
  applyMigrations,
  createLogger,
  createSecrets,
  newId,
  parseMasterKeys,
  prismaOptions,
} from '@lectern/service-kit';
import { runCount, testDatabase } from '@lectern/testing';
import fc from 'fast-check';
import { DATABASE_SCHEMA } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { createKeyPair, dropCollectionFromScopes } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { MIGRATIONS_DIR } from '#server';
import { claimDeliveries, replay } from '#webhooks/deliveries';
import { type DispatchContext, dispatchDue, sendTo } from '#webhooks/dispatcher';
import { renewInterest } from '#webhooks/interests';
import { MIN_FAILURES, nextAttempt, RETRY_MS } from '#webhooks/schedule';
import { newSigningSecret } from '#webhooks/signing-secret';
import { storeEvents } from '#webhooks/store-events';
import { openSecrets, rewrapWebhookSecrets, sealSecret } from '#webhooks/webhook-secrets';
import { dropConnection, type Endpoint, startEndpoint, verify, withStatus } from './support/endpoint.ts';
import { SAMPLE } from './support/people.ts';

const PURPOSE = {
  what: 'secrets',
  service: 'gateway',
} as const;
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 150;
const LEASE_MS = 5_000 + TIMEOUT_MS;
const RESOURCES = ['doc_a', 'doc_b', 'doc_c'];

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: PrismaClient;
let endpoint: Endpoint;
let egress: EgressGuard;
let teamId: string;
let creator: string;
let now: Date;
let ctx: DispatchContext;

beforeAll(async () => {
  database = await testDatabase();
  await applyMigrations({ url: database.url, schema: DATABASE_SCHEMA, dir: MIGRATIONS_DIR });
  db = new PrismaClient(prismaOptions({ url: database.url, schema: DATABASE_SCHEMA }));
  teamId = await ensureTeam(db, 'Team');
  creator = (await createKeyPair(db, teamId, 'creator')).id;
  endpoint = await startEndpoint();
  egress = createEgressGuard({ allow: parseEgressAllow('127.0.0.1') });
  const log = createLogger({ service: 'gateway', level: 'silent' });
  const secrets = createSecrets(parseMasterKeys(SAMPLE.masterKeys), log, PURPOSE);
  const settings = { timeoutMs: TIMEOUT_MS, allowHttp: true };
  ctx = { db, log, egress, secrets, settings, now: () => now, onDisabled: () => undefined };
  now = new Date('2026-01-01T00:00:00Z');
});
afterAll(async () => {
  await egress.close();
  await endpoint.stop();
  await db.$disconnect();
  await database.drop();
});
afterEach(async () => {
  await db.webhook.deleteMany();
  await db.webhookEvent.deleteMany();
});

interface TestWebhook {
  readonly id: string;
  readonly secret: string;
}

async function newWebhook(): Promise<TestWebhook> {
  const id = newId('webhook');
  const secret = newSigningSecret();
  const sealed = sealSecret(ctx.secrets, { id, teamId }, secret);
  const url = `http://127.0.0.1:${endpoint.port}/${id}`;
  const events = ['document.indexed'];
  await db.webhook.create({ data: { id, teamId, url, events, collections: [], createdBy: creator, ...sealed } });
  await db.$transaction((tx) => renewInterest(tx, teamId));
  return { id, secret };
}

const newEvent = (resource: string) => ({
  id: randomUUID(),
  teamId,
  type: 'document.indexed',
  resource,
  collectionIds: ['col_a'],
  data: { id: resource },
});
const emit = (...resources: string[]) => storeEvents(db, resources.map(newEvent), { now, maxPending: 100 });
const advance = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const statuses = async () =>
  (await db.webhookDelivery.findMany({ orderBy: { position: 'asc' } })).map(({ status }) => status);

/** What the endpoint does with requests. */
const ANSWERS = {
  ok: withStatus(200),
  created: withStatus(201, 'x'.repeat(10_000)),
  error: withStatus(500, 'Broken'),
  redirect: withStatus(302, '', { location: 'http://127.0.0.1:1/' }),
  busy: withStatus(429, '', { 'retry-after': '120' }),
  gone: withStatus(410),
  drop: dropConnection,
  hang: () => undefined,
} as const;
type Answer = keyof typeof ANSWERS;
const isSuccess = (answer: Answer) => answer === 'ok' || answer === 'created';

/** What is known about a run, in addition to the rows. */
interface Model {
  webhook: TestWebhook | undefined;
  answer: Answer;
  readonly deleted: Set<string>;
  readonly accepted: Set<string>;
  readonly problems: string[];
}

type Command = (model: Model) => Promise<void>;

const command = (kinds: fc.Arbitrary<readonly [string, Command]>) => kinds;
const commands = fc.array(
  command(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .array(fc.constantFrom(...RESOURCES), { minLength: 1, maxLength: 4 })
          .map((resources) => [`emit ${resources}`, async () => void (await emit(...resources))] as const),
      },
      {
        weight: 5,
        arbitrary: fc.constant(['dispatch', async () => void (await dispatchDue(ctx))] as const),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(...(Object.keys(ANSWERS) as Answer[])).map(
          (answer) =>
            [
              `answer ${answer}`,
              async (model: Model) => {
                model.answer = answer;
              },
            ] as const,
        ),
      },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom(1_000, 10_000, 60_000, HOUR_MS, 5 * HOUR_MS, 30 * HOUR_MS)
          .map((ms) => [`wait ${ms}`, async () => advance(ms)] as const),
      },
      // A process is killed after it has claimed deliveries, before or after it has sent them.
      {
        weight: 3,
        arbitrary: fc.boolean().map(
          (isSent) =>
            [
              `kill ${isSent ? 'after' : 'before'} sending`,
              async () => {
                for (const claimed of await claimDeliveries(db, { now, limit: 3, leaseMs: LEASE_MS }))
                  if (isSent) await sendTo(ctx, claimed.webhook, claimed.event);
              },
            ] as const,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.boolean().map(
          (enabled) =>
            [
              enabled ? 'enable' : 'disable',
              async () =>
                void (await db.webhook.updateMany({
                  data: enabled ? { enabled, failures: 0, failingSince: null, pausedUntil: null } : { enabled },
                })),
            ] as const,
        ),
      },
      {
        weight: 2,
        arbitrary: fc.nat().map(
          (at) =>
            [
              'replay',
              async () => {
                const rows = await db.webhookDelivery.findMany({ where: { status: { not: 'pending' } } });
                const row = rows[at % Math.max(1, rows.length)];
                if (row !== undefined) await replay(db, row.id, now);
              },
            ] as const,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constant([
          'delete and create',
          async (model: Model) => {
            if (model.webhook !== undefined) {
              await db.webhook.delete({ where: { id: model.webhook.id } });
              model.deleted.add(model.webhook.id);
            }
            model.webhook = await newWebhook();
          },
        ] as const),
      },
    ),
  ),
  { maxLength: 40 },
);

/** Checks each request when it arrives, while the rows show what is pending. */
function watch(model: Model): void {
  endpoint.respond = (response, request) => {
    const { answer } = model;
    const id = request.path.slice(1);
    const event = String(request.headers['webhook-id']);
    const check = async () => {
      if (model.deleted.has(id)) model.problems.push(`${event} was sent after the deletion`);
      const own = await db.webhookDelivery.findFirst({ where: { webhookId: id, eventId: event } });
      if (own === null) {
        model.problems.push(`${event} has no delivery`);
        return;
      }
      const { resource, position } = own;
      const earlier = { webhookId: id, resource, status: 'pending', position: { lt: position } } as const;
      if ((await db.webhookDelivery.count({ where: earlier })) > 0)
        model.problems.push(`${event} has overtaken an earlier event of ${resource}`);
      const { 'webhook-timestamp': at } = request.headers;
      if (Number(at) !== Math.floor(now.getTime() / 1_000)) model.problems.push(`${event} has another time`);
    };
    check()
      .catch((error: unknown) => model.problems.push(String(error)))
      .finally(() => {
        if (isSuccess(answer)) model.accepted.add(`${id} ${event}`);
        ANSWERS[answer](response);
      });
  };
}

async function checkRows(model: Model): Promise<void> {
  for (const { webhookId, eventId, status, attempts, expiresAt, endedAt } of await db.webhookDelivery.findMany()) {
    if (status === 'delivered' && !model.accepted.has(`${webhookId} ${eventId}`))
      model.problems.push(`${eventId} is delivered, but the endpoint has not accepted it`);
    if (
      status === 'failed' &&
      (endedAt === null || (endedAt < expiresAt && endedAt.getTime() + RETRY_MS < expiresAt.getTime()))
    )
      model.problems.push(`${eventId} has failed too early`);
    // 5 s, doubled up to 4 h: 17 attempts in a day, and a few more for processes that were killed.
    if (attempts > 25) model.problems.push(`${eventId} has had ${attempts} attempts`);
  }
}

describe('deliveries', () => {
  it('arrive at least once, in order, and never after the deletion, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        await db.webhook.deleteMany();
        const model: Model = {
          webhook: await newWebhook(),
          answer: 'ok',
          deleted: new Set(),
          accepted: new Set(),
          problems: [],
        };
        watch(model);
        for (const [name, run] of steps) {
          await run(model);
          await checkRows(model);
          expect({ after: name, problems: model.problems }).toEqual({ after: name, problems: [] });
        }
        model.answer = 'ok';
        await db.webhook.updateMany({ data: { enabled: true, failures: 0, failingSince: null, pausedUntil: null } });
        for (let round = 0; round < 20 && (await statuses()).includes('pending'); round += 1) {
          advance(5 * HOUR_MS);
          await dispatchDue(ctx);
        }
        await checkRows(model);
        expect(model.problems).toEqual([]);
        const rows = await db.webhookDelivery.findMany();
        for (const { status, eventId, webhookId } of rows) {
          expect(status).not.toBe('pending');
          // What was not accepted was retried for a day.
          if (status !== 'failed') expect(model.accepted).toContain(`${webhookId} ${eventId}`);
        }
      }),
      { numRuns: runCount({ quick: 15, full: 200 }) },
    );
  }, 600_000);

  it('are sent once by any number of processes that work at the same time', async () => {
    await newWebhook();
    endpoint.received.length = 0;
    endpoint.respond = withStatus(200);
    await emit(...Array.from({ length: 40 }, (_, at) => `doc_${at % 10}`));
    // On a slow machine, a short timeout would end attempts that the endpoint has received.
    const slow = { ...ctx, settings: { ...ctx.settings, timeoutMs: 60_000 } };
    await Promise.all(Array.from({ length: 5 }, () => dispatchDue(slow)));
    // An event whose predecessor was still being sent when all others had ended is left for the next round.
    for (let round = 0; round < 40 && (await statuses()).includes('pending'); round++) await dispatchDue(slow);
    expect(await statuses()).toEqual(Array.from({ length: 40 }, () => 'delivered'));
    const ids = endpoint.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
  });

  it('have a new timestamp and signature in each attempt, and the same id', async () => {
    const { secret } = await newWebhook();
    endpoint.received.length = 0;
    endpoint.respond = withStatus(503);
    now = new Date();
    await emit('doc_a');
    await dispatchDue(ctx);
    advance(10_000);
    endpoint.respond = withStatus(200);
    await dispatchDue(ctx);
    const [first, second] = endpoint.received;
    for (const request of [first!, second!]) verify(secret, request);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp'])).toBe(10);
    expect(second!.headers['webhook-signature']).not.toBe(first!.headers['webhook-signature']);
  });

  it('wait as long as Retry-After asks, also those of other records', async () => {
    await newWebhook();
    endpoint.received.length = 0;
    endpoint.respond = withStatus(429, '', { 'retry-after': '3600' });
    await emit('doc_a');
    await dispatchDue(ctx);
    await emit('doc_b');
    advance(HOUR_MS - 1_000);
    endpoint.respond = withStatus(200);
    await dispatchDue(ctx);
    expect(endpoint.received).toHaveLength(1);
    advance(2_000);
    await dispatchDue(ctx);
    expect(endpoint.received).toHaveLength(3);
  });

  it('end after 24 hours of failures, which disables the webhook', async () => {
    const { id } = await newWebhook();
    endpoint.received.length = 0;
    endpoint.respond = withStatus(500, 'Broken');
    await emit('doc_a');
    const startedAt = now.getTime();
    while ((await statuses())[0] === 'pending' && now.getTime() < startedAt + 2 * RETRY_MS) {
      const { nextAttemptAt } = await db.webhookDelivery.findFirstOrThrow();
      const { pausedUntil } = await db.webhook.findFirstOrThrow();
      now = new Date(Math.max(nextAttemptAt.getTime(), pausedUntil?.getTime() ?? 0, now.getTime()));
      await dispatchDue(ctx);
    }
    expect(now.getTime() - startedAt).toBeGreaterThanOrEqual(RETRY_MS);
    expect(now.getTime() - startedAt).toBeLessThan(RETRY_MS + HOUR_MS);
    expect(await statuses()).toEqual(['failed']);
    expect(endpoint.received.length).toBeGreaterThan(MIN_FAILURES);
    expect(endpoint.received.length).toBeLessThan(25);
    expect(await db.webhook.findUniqueOrThrow({ where: { id } })).toMatchObject({
      enabled: false,
      disabledReason: 'failing',
    });
    expect(await db.auditEvent.count({ where: { resourceId: id, action: 'disableWebhook' } })).toBe(1);
  });

  it('beyond the limit are dropped and counted, the newest first', async () => {
    const { id } = await newWebhook();
    const resources = Array.from({ length: 30 }, (_, at) => `doc_${at}`);
    const events = resources.map(newEvent);
    expect(await storeEvents(db, events, { now, maxPending: 20 })).toBe(20);
    expect(await storeEvents(db, [newEvent('doc_z')], { now, maxPending: 20 })).toBe(0);
    const rows = await db.webhookDelivery.findMany({ orderBy: { position: 'asc' } });
    expect(rows.map(({ resource }) => resource)).toEqual(resources.slice(0, 20));
    expect(await db.webhook.findUniqueOrThrow({ where: { id } })).toMatchObject({ dropped: 11, droppedAt: now });
    expect(await db.webhookEvent.count({ where: { deliveries: { none: {} } } })).toBe(0);
  });

  it('are not stored twice if a service hands an event over again', async () => {
    await newWebhook();
    const events = ['doc_a', 'doc_b'].map(newEvent);
    for (const count of [2, 0]) expect(await storeEvents(db, events, { now, maxPending: 10 })).toBe(count);
    expect(await storeEvents(db, [...events, newEvent('doc_c')], { now, maxPending: 10 })).toBe(1);
  });

  it('with a certain webhook go to no other, also if it has no such event in its list', async () => {
    const [first, second] = [await newWebhook(), await newWebhook()];
    await db.webhook.update({ where: { id: second.id }, data: { events: [] } });
    await storeEvents(db, [{ ...newEvent('doc_a'), webhookId: second.id }], { now, maxPending: 10 });
    const [row, ...others] = await db.webhookDelivery.findMany();
    expect([row?.webhookId, others, first.id === second.id]).toEqual([second.id, [], false]);
    const foreign = { ...newEvent('doc_b'), teamId: await ensureTeam(db, 'Other team'), webhookId: second.id };
    expect(await storeEvents(db, [foreign], { now, maxPending: 10 })).toBe(0);
  });
});

describe('nextAttempt', () => {
  it('is never before Retry-After, and never after the time for retries', () => {
    const at = new Date(0);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: RETRY_MS }),
        fc.option(fc.integer({ min: 0, max: 2 * RETRY_MS }), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, left, retryAfterMs, random) => {
          const expiresAt = new Date(left);
          const next = nextAttempt({ now: at, attempts, expiresAt, retryAfterMs, random })?.getTime();
          if (next === undefined) expect(left === 0 || (retryAfterMs ?? 0) > left).toBe(true);
          else {
            expect(next).toBeGreaterThanOrEqual(Math.max(retryAfterMs ?? 0, Math.min(3_750, left)));
            expect(next).toBeLessThanOrEqual(left);
          }
        },
      ),
    );
  });
});

describe('a new master key', () => {
  it('also wraps the secret before a rotation, so that the older key can be removed', async () => {
    const { id, secret } = await newWebhook();
    const before = newSigningSecret();
    const old = sealSecret(ctx.secrets, { id, teamId }, before);
    const data = {
      oldSealed: old.sealed,
      oldWrappedKey: old.wrappedKey,
      oldMasterKeyVersion: old.masterKeyVersion,
      oldUntil: new Date(now.getTime() + HOUR_MS),
    };
    await db.webhook.update({ where: { id }, data });
    const newKey = `2:${Buffer.alloc(32, 9).toString('base64')}`;
    const both = createSecrets(parseMasterKeys(`${newKey},${SAMPLE.masterKeys}`), ctx.log, PURPOSE);
    await rewrapWebhookSecrets(db, both, ctx.log);
    const webhook = await db.webhook.findUniqueOrThrow({ where: { id } });
    const newOnly = createSecrets(parseMasterKeys(newKey), ctx.log, PURPOSE);
    expect(openSecrets(newOnly, webhook, now)).toEqual([secret, before]);
  });

  it('report the deletions of a deleted collection to keys that had access to it, and nothing else about it', async () => {
    const scope = (allowedCollections: string[]) => ({ allowAllCollections: false, allowedCollections });
    const [own, other] = [
      await createKeyPair(db, teamId, 'own', scope(['col_gone', 'col_kept'])),
      await createKeyPair(db, teamId, 'other', scope(['col_kept'])),
    ];
    const webhooks: string[] = [];
    for (const createdBy of [own.id, other.id]) {
      const { id } = await newWebhook();
      await db.webhook.update({ where: { id }, data: { createdBy, events: ['document.indexed', 'document.deleted'] } });
      webhooks.push(id);
    }
    await dropCollectionFromScopes(db, teamId, 'col_gone');
    const events = ['document.indexed', 'document.deleted'].map((type) => {
      return { ...newEvent('doc_gone'), type, collectionIds: ['col_gone'] };
    });
    await storeEvents(db, events, { now, maxPending: 100 });
    const deliveries = await db.webhookDelivery.findMany({ include: { event: true } });
    expect(deliveries.map(({ webhookId, event }) => [webhookId, event.type])).toEqual([
      [webhooks[0], 'document.deleted'],
    ]);
    endpoint.respond = withStatus(200);
    await dispatchDue({ ...ctx, settings: { ...ctx.settings, timeoutMs: 60_000 } });
    expect(await statuses()).toEqual(['delivered']);
  });
});
