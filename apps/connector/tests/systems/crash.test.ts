import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Connector, JobStatus } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { newCollection } from '../support/connector-client.ts';
import { startSystem, type TestSystem } from '../support/start-system.ts';
import { startTwoReplicas, type TwoReplicas } from '../support/two-replicas.ts';

const COUNT = 60;

let system: TestSystem;
let service: TwoReplicas;
let connector: Connector;

beforeAll(async () => {
  system = await startSystem();
  service = await startTwoReplicas(system);
});
afterAll(async () => {
  await service.stop();
  await system.stop();
});

const paths = Array.from({ length: COUNT }, (_, n) => `file-${String(n).padStart(3, '0')}.md`);
let indexed = 0;

beforeEach(async () => {
  indexed = 0;
  system.collection.beforeIndex = async () => {
    indexed += 1;
    await delay(20);
  };
  connector = await service.clients[1].createConnector(newCollection(system.collection.collections));
});

const upload = async () => {
  const [, client] = service.clients;
  const files = paths.map((path) => ({ path, content: `# ${path}\n\nText of ${path}.` }));
  return client.upload(connector.id, files);
};
const untilIndexed = (count: number) =>
  waitUntil(async () => indexed >= count, { what: `${count} documents to be indexed`, timeoutMs: 30_000 });

const expectExact = async (jobId: string) => {
  const job = await service.clients[1].ended(connector.id, jobId);
  expect(job).toMatchObject({
    status: JobStatus.COMPLETED,
    errors: [],
    progress: { total: COUNT, collected: COUNT, parsed: COUNT, indexed: COUNT, skipped: 0, deleted: 0, failed: 0 },
  });
  const live = system.collection.live(connector.id);
  expect(live.map((document) => document.externalId).sort()).toEqual(paths);
  expect(live.every((document) => document.status === 'indexed')).toBe(true);
};

describe('a job', () => {
  it('ends once with exact counts on two replicas', async () => {
    const { jobId } = await upload();
    await expectExact(jobId);
    expect(indexed).toBe(COUNT);
  });

  it('ends once with exact counts if a worker is killed', async () => {
    const { jobId } = await upload();
    await untilIndexed(15);
    await service.replicas[0].kill();
    await expectExact(jobId);
    await service.replicas[0].restart();
  });

  it('ends once with exact counts if every worker is killed', async () => {
    const { jobId } = await upload();
    await untilIndexed(15);
    await Promise.all(service.replicas.map((replica) => replica.kill()));
    await Promise.all(service.replicas.map((replica) => replica.restart()));
    await expectExact(jobId);
  });

  it('ends once with exact counts if the queue is killed', async () => {
    const { jobId } = await upload();
    await untilIndexed(15);
    await system.nats.kill();
    await system.nats.restart();
    await expectExact(jobId);
  });

  it('ends once with exact counts if the queue loses its data', async () => {
    const { jobId } = await upload();
    await untilIndexed(15);
    await system.nats.kill();
    await system.nats.restart({ wipe: true });
    await expectExact(jobId);
  });

  it('ends once with exact counts if the collection service is down for a while', async () => {
    const { jobId } = await upload();
    await untilIndexed(15);
    await system.collection.stop();
    await delay(3_000);
    await system.collection.start();
    await expectExact(jobId);
  });
});
