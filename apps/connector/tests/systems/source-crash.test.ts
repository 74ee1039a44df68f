import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { newCollection } from '../support/connector-client.ts';
import { startSystem, type TestSystem } from '../support/start-system.ts';
import { startTwoReplicas, type TwoReplicas } from '../support/two-replicas.ts';
import type { TestSource } from './conformance/test-source.ts';
import {
  gmailDomain,
  googleDriveDomain,
  microsoft365Mail,
  microsoft365Teams,
  TEST_SOURCES,
} from './conformance/test-sources.ts';

const COUNT = 2_000;
/** Documents are changed and deleted in steps of this size. */
const EVERY = 10;

/** A name, its source, and the settings that the number of items needs. */
type Type = readonly [string, typeof gmailDomain | undefined, Readonly<Record<string, number>>];

/** The two most different listings: a feed of changes with a cursor for each mailbox, and folders by ranges of numbers. */
const TYPES: readonly Type[] = [
  ['gmail', gmailDomain, {}],
  ['imap', TEST_SOURCES.imap, {}],
];
/** All nine together take longer than CI has. */
const MORE_TYPES: readonly Type[] = [
  ['google_drive for a domain', googleDriveDomain, {}],
  ['microsoft_365 with mail', microsoft365Mail, {}],
  ['web', TEST_SOURCES.web, { maxPages: 5_000, maxPagesPerPattern: 5_000 }],
  ['gitlab', TEST_SOURCES.gitlab, {}],
  ['jira', TEST_SOURCES.jira, {}],
  ['microsoft_365', TEST_SOURCES.microsoft_365, {}],
  ['microsoft_365 with teams', microsoft365Teams, {}],
];
const ALL = process.env.LECTERN_ALL_SOURCES === '1' ? [...TYPES, ...MORE_TYPES] : TYPES;

describe.each(ALL)('2,000 items of a source of type %s', (name, open, settings) => {
  let source: TestSource;
  let system: TestSystem;
  let service: TwoReplicas;
  let indexed = 0;

  beforeAll(async () => {
    if (open === undefined) throw new Error(`There is no test source of type ${name}.`);
    source = await open();
    system = await startSystem({ env: { ...source.env, EGRESS_ALLOW: '127.0.0.1,localhost' } });
    service = await startTwoReplicas(system);
    system.collection.beforeIndex = async () => {
      indexed += 1;
    };
  });
  afterAll(async () => {
    await service.stop();
    await system.stop();
    await source.stop();
  });

  it('are indexed, changed and deleted exactly while the service is killed', async () => {
    const [, client] = service.clients;
    const { type, config, credentials } = source;
    const { id } = await client.connectors.createConnector(
      {
        ...{ name: 'Source', type, collectionId: newCollection(system.collection.collections) },
        ...{ config: { ...config, ...settings }, credentials },
      },
      client.as(),
    );
    /** Starts a sync. A refresh of cheap permissions can still run after a listing. */
    const start = () =>
      client.sync(id).catch(async (error) => {
        const jobId: unknown = error instanceof AppError ? error.details?.jobId : undefined;
        if (typeof jobId !== 'string') throw error;
        await client.ended(id, jobId);
        return client.sync(id);
      });
    /** Syncs while the replicas are killed in turns. */
    const syncWithKills = async (step: number) => {
      let isDone = false;
      const { id: jobId } = await start();
      const ended = client.ended(id, jobId).finally(() => {
        isDone = true;
      });
      const [job, kills] = await Promise.all([
        ended,
        service.killInTurns({ progress: () => indexed, step, isDone: () => isDone }),
      ]);
      return { job, kills };
    };
    const live = () =>
      new Map(system.collection.live(id).map(({ externalId, request }) => [externalId, request?.content]));

    const ids = await source.add(
      Array.from({ length: COUNT }, (_, n) => ({ name: `item ${n}`, text: `The text of item ${n}.` })),
    );
    const first = await syncWithKills(300);
    expect(first.kills).toBeGreaterThanOrEqual(3);
    expect(first.job).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { total: COUNT, indexed: COUNT, failed: 0, deleted: 0 },
    });
    expect([...live().keys()].sort()).toEqual([...ids].sort());

    const changed = ids.filter((_, n) => n % EVERY === 0);
    const removed = ids.filter((_, n) => n % EVERY === 1);
    for (const item of changed) await source.change(item, 'An entirely different text.');
    for (const item of removed) await source.remove(item);
    const second = await syncWithKills(60);
    expect(second.job).toMatchObject({
      status: JobStatus.COMPLETED,
      progress: { indexed: changed.length, deleted: removed.length, failed: 0 },
    });
    const after = live();
    expect(after.size).toBe(COUNT - removed.length);
    for (const item of changed) expect(after.get(item)).toContain('An entirely different text.');
  });
});
