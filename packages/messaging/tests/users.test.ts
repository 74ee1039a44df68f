import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Engine, NATS_PERMISSIONS, natsUserUrl, startNats } from '@lectern/local-engines';
import { createLogger } from '@lectern/service-kit';
import { temporaryFolder, waitUntil } from '@lectern/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as messagingExports from '#index';
import {
  collectionDeleted,
  createMessaging,
  documentDeleted,
  documentIndex,
  type Event,
  keyChanged,
  type Messaging,
  type Queue,
  queues,
  sourcePaused,
  syncItem,
  syncPlan,
  syncProgress,
} from '#index';
import { connectNats } from '#nats/connect';

type Service = keyof typeof NATS_PERMISSIONS;
const SERVICES = ['gateway', 'collection', 'connector'] as const satisfies readonly Service[];
const log = createLogger({ service: 'test', level: 'silent' });
const users = SERVICES.map((name) => ({ name, password: `password of ${name}`, permissions: NATS_PERMISSIONS[name] }));

const APPS = fileURLToPath(new URL('../../../apps/', import.meta.url));
const isEntry = (value: unknown): value is Queue<unknown> | Event<unknown> =>
  typeof value === 'object' && value !== null && 'schema' in value;
/** All queues and events, by the name that services import. */
const catalog = new Map(
  Object.entries<unknown>(messagingExports).flatMap(([name, value]) => (isEntry(value) ? [[name, value]] : [])),
);
const VERBS = ['announce', 'listen', 'enqueue', 'consume'] as const;
type Verb = (typeof VERBS)[number];

/** Returns all code of services that publishes or receives messages of the catalog. */
function usesIn(service: string): { verb: Verb; name: string }[] {
  const folder = join(APPS, service, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('gen'))
    .flatMap((file) => {
      const found = readFileSync(join(folder, file), 'utf8').matchAll(/\.(announce|listen|enqueue|consume)\(\s*(\w+)/g);
      return [...found].map(([, verb = '', name = '']) => ({ verb: verb as Verb, name }));
    })
    .filter(({ name }) => catalog.has(name));
}

const uses = readdirSync(APPS)
  .filter((app) => app !== 'local' && app !== 'console')
  .flatMap((service) => usesIn(service).map((use) => ({ service, ...use })));

/** Returns true if the permissions allow a subject or a pattern of subjects. */
function isAllowed(allowed: readonly string[], subject: string): boolean {
  const parts = subject.split('.');
  return allowed.some((pattern) => {
    const expected = pattern.split('.');
    const isMatch = expected.every((part, index) => part === '>' || part === '*' || part === parts[index]);
    return isMatch && (expected.at(-1) === '>' ? parts.length >= expected.length : parts.length === expected.length);
  });
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Engine;
const messaging = {} as Record<Service, Messaging>;
const connections: NatsConnection[] = [];
const urlOf = (name: Service) => natsUserUrl(server.url, users.find((user) => user.name === name)!);

async function connection(name: Service): Promise<NatsConnection> {
  const opened = await connectNats({ url: urlOf(name), name });
  connections.push(opened);
  return opened;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startNats({
    binary: process.env.LECTERN_TEST_NATS_SERVER!,
    storeDir: join(folder.path, 'nats'),
    durable: false,
    users,
  });
  for (const name of SERVICES) messaging[name] = await createMessaging({ url: urlOf(name), name, log });
});

afterAll(async () => {
  await Promise.all(Object.values(messaging).map((one) => one.close()));
  await Promise.all(connections.map((one) => one.close()));
  await server.stop();
  await folder.remove();
});

describe('the permissions of the services', () => {
  it.each(queues)('allow one service to consume the queue $name and at least one to fill it', ({ name, subject }) => {
    const may = (expected: string) =>
      SERVICES.filter((service) => (NATS_PERMISSIONS[service].publish as readonly string[]).includes(expected));
    expect(may(`$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.${name}`)).toHaveLength(1);
    expect(may(subject).length).toBeGreaterThan(0);
  });

  it.each([...catalog.keys()])('cover the code that sends and receives %s', (name) => {
    const verbs = new Set(uses.filter((use) => use.name === name).map(({ verb }) => verb));
    expect([...verbs].sort()).toEqual(
      name in { syncPlan, syncItem, documentIndex } ? ['consume', 'enqueue'] : ['announce', 'listen'],
    );
  });

  it.each(uses)('allow $service to $verb $name', ({ service, verb, name }) => {
    const known = Object.keys(NATS_PERMISSIONS);
    expect(known).toContain(service);
    const { publish, subscribe } = NATS_PERMISSIONS[service as Service];
    const entry = catalog.get(name)!;
    if ('pattern' in entry) expect(isAllowed(verb === 'listen' ? subscribe : publish, entry.pattern())).toBe(true);
    else {
      const subject = verb === 'enqueue' ? entry.subject : `$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.${entry.name}`;
      expect(isAllowed(publish, subject)).toBe(true);
    }
  });
});

describe('a service with its own user', () => {
  it('can enqueue, consume, dead-letter, publish and subscribe', async () => {
    const ids = { teamId: 't', connectorId: 'c', jobId: 'j' };
    const seen: string[] = [];
    const work = [
      ['collection', documentIndex, { teamId: 't', documentId: 'd' }],
      ['connector', syncPlan, ids],
      ['connector', syncItem, { ...ids, itemId: 'i' }],
    ] as const;
    const manager = await jetstreamManager(await connection('collection'), { checkAPI: false });
    for (const [name, queue, payload] of work) {
      await messaging[name].enqueue<unknown>(queue, payload, 'one');
      // A payload that does not match its schema becomes a dead letter immediately.
      await messaging[name].enqueue<unknown>(queue, { wrong: true }, 'two');
      const consumption = messaging[name].consume<unknown>(queue as never, async () => void seen.push(queue.name), {
        concurrency: 2,
        onDead: async () => undefined,
      });
      await waitUntil(() => seen.includes(queue.name), { what: queue.name, timeoutMs: 20_000 });
      await consumption.stop(1_000);
    }
    const isDone = async () =>
      (await manager.streams.info('LECTERN_WORK')).state.messages === 0 &&
      (await manager.streams.info('LECTERN_DEAD')).state.messages === work.length;
    await waitUntil(isDone, { what: 'every message to be acknowledged or dead-lettered', timeoutMs: 20_000 });

    const received: string[] = [];
    messaging.gateway.listen(keyChanged, [], () => received.push('key'));
    messaging.connector.listen(collectionDeleted, [], () => received.push('collection'));
    messaging.connector.listen(documentDeleted, [], () => received.push('document'));
    messaging.connector.listen(syncProgress, ['t', 'c', 'j'], () => received.push('progress'));
    messaging.connector.listen(sourcePaused, [], () => received.push('pause'));
    await Promise.all(Object.values(messaging).map((one) => one.ping()));
    messaging.gateway.announce(keyChanged, { teamId: 't', pairId: 'p' });
    messaging.collection.announce(collectionDeleted, { teamId: 't', collectionId: 'c' });
    messaging.collection.announce(documentDeleted, { teamId: 't', documentId: 'd' });
    messaging.connector.announce(syncProgress, { ...ids, status: 'running' });
    messaging.connector.announce(sourcePaused, { connectorId: 'c', origin: 'https://example.com', forMs: 1 });
    await waitUntil(() => received.length === 5, { what: 'every event', timeoutMs: 10_000 });
    expect(received.sort()).toEqual(['collection', 'document', 'key', 'pause', 'progress']);
  });

  it.each([
    ['gateway', 'lectern.work.>'],
    ['gateway', 'lectern.sync.>'],
    ['gateway', '_INBOX.>'],
    ['collection', '_INBOX.connector.>'],
    ['collection', 'lectern.keys.>'],
    ['connector', 'lectern.work.>'],
    ['connector', '>'],
  ] as const)('rejects a subscription that the service does not need: %s to %s', async (name, subject) => {
    const nats = await connection(name);
    const rejected = new Promise((resolve) => nats.subscribe(subject, { callback: (error) => resolve(error?.name) }));
    expect(await rejected).toBe('PermissionViolationError');
  });

  it.each([
    ['gateway', 'lectern.work.sync-plan'],
    ['gateway', '$JS.API.STREAM.DELETE.LECTERN_WORK'],
    ['gateway', '$JS.API.STREAM.MSG.GET.LECTERN_WORK'],
    ['gateway', '$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.sync-item'],
    ['collection', 'lectern.work.sync-item'],
    ['collection', '$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.sync-item'],
    ['collection', '$JS.API.STREAM.PURGE.LECTERN_WORK'],
    ['connector', 'lectern.keys.t.p.changed'],
    ['connector', 'lectern.collections.t.c.deleted'],
    ['connector', '$JS.API.CONSUMER.DELETE.LECTERN_WORK.document-index'],
  ] as const)('rejects a publication that the service does not need: %s to %s', async (name, subject) => {
    const nats = await connection(name);
    const rejected = (async () => {
      for await (const status of nats.status()) if (status.type === 'error') return status.error.name;
      return undefined;
    })();
    nats.publish(subject, '{}');
    expect(await rejected).toBe('PermissionViolationError');
  });
});

describe('a subject that NATS does not allow', () => {
  it('is logged once per publication and subscription', async () => {
    const lines: { level: number; operation?: string; subject?: string }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const gatewayLog = createLogger({ service: 'gateway', level: 'warn', destination });
    const gateway = await createMessaging({ url: urlOf('gateway'), name: 'gateway', log: gatewayLog });
    gateway.listen(documentDeleted, [], () => undefined);
    gateway.announce(collectionDeleted, { teamId: 't', collectionId: 'c' });
    gateway.announce(collectionDeleted, { teamId: 't', collectionId: 'again' });
    await gateway.ping();
    await waitUntil(() => lines.length === 2, { what: 'two lines in the log', timeoutMs: 10_000 });
    await gateway.close();
    const logged = lines.map(({ level, operation, subject }) => [level, operation, subject]);
    expect(logged.sort()).toEqual([
      [50, 'publish', 'lectern.collections.t.c.deleted'],
      [50, 'subscription', 'lectern.documents.*.*.deleted'],
    ]);
  });
});

describe('a server with users', () => {
  it('rejects a missing or wrong password with a message on how to fix it', async () => {
    const { host } = new URL(server.url);
    for (const login of ['', 'collection:guess@', 'collection@', 'unknown:@'])
      await expect(
        connectNats({ url: `nats://${login}${host}`, name: 'collection', connectTimeoutMs: 0 }),
      ).rejects.toThrow('NATS rejected the user or password in NATS_URL');
  });
});
