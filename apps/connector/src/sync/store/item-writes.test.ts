import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyMigrations, newId, prismaOptions } from '@lectern/service-kit';
import { runCount, type TestDatabase, testDatabase } from '@lectern/testing';
import fc from 'fast-check';
import { PrismaClient } from '#gen/prisma/client';
import { createItemWrites, type ItemLease, itemMachine, type Outcome } from '#sync/store/items';

const LEASE_MS = 60_000;
const COUNT = 12;

let database: TestDatabase;
let db: PrismaClient;

beforeAll(async () => {
  database = await testDatabase();
  const dir = new URL('../../../prisma/migrations', import.meta.url).pathname;
  await applyMigrations({ url: database.url, schema: 'connector', dir });
  db = new PrismaClient(prismaOptions({ url: database.url, schema: 'connector' }));
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const state = fc.record({
  stage: fc.constantFrom(...itemMachine.states),
  isLeased: fc.boolean(),
  isWaiting: fc.boolean(),
  isStoredFile: fc.boolean(),
  /** The writer has another lease or round than the row. */
  isStale: fc.boolean(),
  outcome: fc.constantFrom('indexed' as const, 'skipped' as const, 'deleted' as const),
});
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;
const states = fc.array(state, { minLength: 1, maxLength: COUNT });

const tokenOf = (at: number) => `token-${at}`;
const outcomeOf = ({ outcome }: State, at: number): Outcome =>
  outcome === 'indexed'
    ? {
        stage: outcome,
        documentId: `d${at}`,
        version: `v${at}`,
        checksum: `c${at}`,
        mimeType: 'text/plain',
        sizeBytes: at,
      }
    : { stage: outcome };

/** Stores a cancelled job and a running job, each with half of the items, and their files. */
async function store(items: readonly State[]): Promise<readonly string[]> {
  const teamId = newId('team');
  const soon = new Date(Date.now() + LEASE_MS);
  const jobs = await Promise.all(
    (['running', 'cancelled'] as const).map(async (status) => {
      const connector = {
        id: newId('connector'),
        teamId,
        collectionId: newId('collection'),
        name: 'c',
        type: 'upload',
      };
      await db.connector.create({ data: { ...connector, sync: { create: {} } } });
      const ended = status === 'cancelled' ? { completedAt: new Date(), counts: { indexed: 0, deleted: 0 } } : {};
      const job = { id: newId('job'), teamId, connectorId: connector.id, mode: 'auto' as const, status };
      await db.syncJob.create({ data: { ...job, ...ended } });
      return job;
    }),
  );
  const rows = items.map((item, at) => {
    const { id: jobId, connectorId } = jobs[at % 2] ?? jobs[0]!;
    const lease = item.isLeased ? { leaseToken: tokenOf(at), leaseUntil: soon } : {};
    const retry = item.isWaiting ? { retryAt: soon } : {};
    const error = item.stage === 'failed' ? { errorCode: 'test', errorMessage: 'Test.' } : {};
    const sourceId = `s${at}`;
    return {
      id: newId('item'),
      teamId,
      connectorId,
      jobId,
      sourceId,
      path: sourceId,
      ref: {},
      stage: item.stage,
      ...lease,
      ...retry,
      ...error,
    };
  });
  await db.syncItem.createMany({ data: rows });
  await db.file.createMany({
    data: rows
      .filter((_, at) => items[at]?.isStoredFile)
      .map(({ connectorId, sourceId, path }) => ({
        ...{
          id: newId('file'),
          teamId,
          connectorId,
          sourceId,
          path,
          mimeType: 'text/plain',
          status: 'processing' as const,
        },
      })),
  });
  return rows.map(({ id }) => id);
}

/** Returns what an observer can see of the items, without ids. */
async function read(ids: readonly string[]) {
  const rows = await Promise.all(
    ids.map((id) => db.syncItem.findUniqueOrThrow({ where: { id }, include: { job: { select: { counts: true } } } })),
  );
  return Promise.all(
    rows.map(async ({ connectorId, sourceId, stage, collected, parsed, attempts, leaseToken, job }) => {
      const file = await db.file.findUnique({ where: { connectorId_sourceId: { connectorId, sourceId } } });
      const { status, documentId, indexedVersion, checksum, sizeBytes } = file ?? {};
      const stored = { status, documentId, indexedVersion, checksum, sizeBytes };
      return { stage, collected, parsed, attempts, isLeased: leaseToken !== null, counts: job.counts, stored };
    }),
  );
}

/** Runs the writes of all items at the same time, and one after the other, on equal items. */
async function runBoth<R>(
  items: readonly State[],
  write: (writes: ReturnType<typeof createItemWrites>, id: string, item: State, at: number) => Promise<R>,
) {
  const [together, alone] = [await store(items), await store(items)];
  const writes = createItemWrites(db, LEASE_MS);
  const results = await Promise.all(together.map((id, at) => write(writes, id, items[at]!, at)));
  const expected: R[] = [];
  for (const [at, id] of alone.entries()) expected.push(await write(writes, id, items[at]!, at));
  return { together: { results, rows: await read(together) }, alone: { results: expected, rows: await read(alone) } };
}

const leaseOf = (id: string, { isStale }: State, at: number) => ({
  id,
  leaseToken: isStale && at % 2 === 0 ? 'other' : tokenOf(at),
  round: isStale && at % 2 === 1 ? 1 : 0,
});

const OPEN: State = {
  ...{ stage: 'planned', isLeased: false, isWaiting: false, isStoredFile: true, isStale: false, outcome: 'indexed' },
};

/** Writes the row of an item or of its file, which locks it. Returns a function that unlocks it. */
async function lockRow(table: 'sync_items' | 'files', itemId: string): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = db.$transaction(
    async (tx) => {
      if (table === 'sync_items') await tx.syncItem.update({ where: { id: itemId }, data: { updatedAt: new Date() } });
      else {
        const { connectorId, sourceId } = await tx.syncItem.findUniqueOrThrow({ where: { id: itemId } });
        await tx.file.updateMany({ where: { connectorId, sourceId }, data: { updatedAt: new Date() } });
      }
      locked.resolve();
      await release.promise;
    },
    { timeout: 60_000 },
  );
  await locked.promise;
  return async () => {
    release.resolve();
    await lock;
  };
}

describe('createItemWrites', () => {
  const numRuns = runCount({ quick: 15, full: 100 });

  it('claims the same items in a batch as one by one', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (items) => {
        const { together, alone } = await runBoth(items, async (writes, id) => (await writes.claim(id)) !== undefined);
        expect(together).toEqual(alone);
      }),
      { numRuns },
    );
  });

  it('begins and ends the same items in a batch as one by one', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (items) => {
        const { together, alone } = await runBoth(items, async (writes, id, item, at) => {
          const lease = leaseOf(id, item, at);
          const began = await writes.begin(lease);
          return [began, await writes.finish({ ...lease, outcome: outcomeOf(item, at) })];
        });
        expect(together).toEqual(alone);
      }),
      { numRuns },
    );
  });

  it.each(['sync_items', 'files'] as const)(
    'does not delay other items if a row is locked, at the end one of %s',
    async (ended) => {
      const [locked, , free] = await store([OPEN, OPEN, OPEN]);
      const writes = createItemWrites(db, LEASE_MS);
      const unlockClaim = await lockRow('sync_items', locked!);
      const [none, claimed] = await Promise.all([writes.claim(locked!), writes.claim(free!)]);
      expect(none).toBeUndefined();
      await unlockClaim();
      const leases = [await writes.claim(locked!), claimed].map((item) => {
        if (item === undefined) throw new Error('The item was not claimed.');
        const { id, leaseToken, round } = item;
        return { id, leaseToken, round };
      });
      const finish = (lease: ItemLease) => writes.finish({ ...lease, outcome: outcomeOf(OPEN, leases.indexOf(lease)) });
      for (const { table, write } of [
        { table: 'sync_items', write: writes.begin },
        { table: ended, write: finish },
      ] as const) {
        const unlock = await lockRow(table, locked!);
        const waiting = write(leases[0]!);
        expect(await write(leases[1]!)).toBe(true);
        await unlock();
        expect(await waiting).toBe(true);
      }
      expect(await read([locked!, free!])).toMatchObject([
        { stage: 'indexed', isLeased: false, stored: { status: 'indexed', documentId: 'd0' } },
        { stage: 'indexed', isLeased: false, stored: { status: 'indexed', documentId: 'd1' } },
      ]);
    },
  );

  it('claims each item once if several workers claim in different orders', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.shuffledSubarray([...Array(COUNT).keys()]), { minLength: 2, maxLength: 4 }),
        async (orders) => {
          const ids = await store(Array.from({ length: COUNT * 2 }, () => OPEN));
          const running = ids.filter((_, at) => at % 2 === 0);
          const claims = orders.map(async (order) => {
            const writes = createItemWrites(db, LEASE_MS);
            return Promise.all(order.map((at) => writes.claim(running[at]!)));
          });
          const claimed = (await Promise.all(claims)).flat().flatMap((item) => item?.id ?? []);
          expect(claimed).toHaveLength(new Set(orders.flat()).size);
          expect(new Set(claimed).size).toBe(claimed.length);
        },
      ),
      { numRuns },
    );
  });
});
