import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionServiceDefinition, DocumentServiceDefinition, DocumentStatus } from '@lectern/contracts';
import { connectGrpc, type GrpcConnection, prismaOptions } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  startTestService,
  type TestService,
  testDatabase,
  testNats,
  testQdrant,
  waitUntil,
} from '@lectern/testing';
import { createVectorStore } from '@lectern/vector-store';
import { DATABASE_SCHEMA } from '#context';
import { PrismaClient, type Space } from '#gen/prisma/client';

const PASSAGES = 240;
const WORDS = [
  'hospital',
  'recovery',
  'road',
  'wheel',
  'kitchen',
  'oven',
  'river',
  'valley',
  'garden',
  'tree',
  'market',
  'price',
];

/** Returns five consecutive words, different for each text. */
const textOf = (at: number) =>
  Array.from({ length: 5 }, (_, i) => WORDS[(at + i * (1 + (at % 3))) % WORDS.length]).join(' ');

let engines: { stop(): Promise<unknown>; env: Record<string, string>; url: string; qdrant: string };
let service: TestService;
let connection: GrpcConnection;
let db: PrismaClient;

beforeAll(async () => {
  const [database, nats, qdrant] = await Promise.all([testDatabase(), testNats(), testQdrant()]);
  const env = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    QDRANT_URL: qdrant.url,
    SPACE_MIN_PASSAGES: String(PASSAGES),
    SPACE_INTERVAL_MS: '50',
    SPACE_SETTLE_MS: '0',
    SPACE_LEASE_MS: '500',
  };
  engines = {
    env,
    url: database.url,
    qdrant: qdrant.url,
    stop: () => Promise.all([nats.stop(), qdrant.stop(), database.drop()]),
  };
  service = await startTestService('collection', env);
  connection = connectGrpc(service.address);
  db = new PrismaClient(prismaOptions({ url: engines.url, schema: DATABASE_SCHEMA }));
});
afterAll(async () => {
  connection.close();
  await db.$disconnect();
  await service.stop();
  await engines.stop();
});

const killAndRestart = async () => {
  await service.kill();
  await service.restart();
};

describe('a collection service', () => {
  it('resumes learning a space and moving passages after it is killed, and loses nothing', async () => {
    const caller = createCaller();
    const call = callAs(caller);
    const collections = connection.client(CollectionServiceDefinition);
    const documents = connection.client(DocumentServiceDefinition);
    const { id: collectionId, embeddingModel: model } = await collections.createCollection({ name: 'C' }, call);
    const ids: string[] = [];
    for (let at = 0; at < PASSAGES; at++) {
      ids.push((await documents.createDocument({ collectionId, title: `T${at}`, content: textOf(at) }, call)).id);
    }
    const spaces = () => db.space.findMany({ where: { teamId: caller.teamId } });
    const until = (what: string, condition: (space: Space) => boolean | Promise<boolean>) =>
      waitUntil(
        async () => {
          const [space] = await spaces();
          return space !== undefined && condition(space);
        },
        { what, timeoutMs: 60_000, intervalMs: 5 },
      );
    const store = createVectorStore({ url: engines.qdrant });
    const countOutside = async (space: Space) => {
      const request = { team: caller.teamId, outsideSpace: space.id };
      return (await Array.fromAsync(store.scrollPassages(model, request))).flat().length;
    };

    await until('training to begin', ({ leasedUntil }) => leasedUntil !== null);
    await killAndRestart();
    await until(
      'passages to move',
      async (space) => space.status === 'ready' && (await countOutside(space)) < PASSAGES,
    );
    await killAndRestart();
    await until('every passage to be moved', ({ movedAt }) => movedAt !== null);

    const all = await spaces();
    expect(all).toMatchObject([{ status: 'ready', trainedOn: PASSAGES }]);
    expect(await countOutside(all[0]!)).toBe(0);
    expect(await store.count(model, { team: caller.teamId })).toEqual({ documents: PASSAGES, passages: PASSAGES });
    for (const id of ids) {
      expect((await documents.getDocument({ id }, call)).status).toBe(DocumentStatus.INDEXED);
    }
  });
});
