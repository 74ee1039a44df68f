import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type SourceEvent, UNREADABLE_ENTRY } from '@lectern/connectors';
import { JobStatus } from '@lectern/contracts';
import { runCount } from '@lectern/testing';
import fc from 'fast-check';
import { newCollection } from './support/connector-client.ts';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector({}, 'scripted_rich');
const ada = 'user:ada@example.com';
const COUNT = 8;

const failed = (id: string, code: string): SourceEvent => ({
  type: 'failed',
  id,
  path: id,
  error: { code, message: 'It has an unknown format.' },
});

describe('an unreadable item', () => {
  it('does not fail other items or the job, and is not deleted', async () => {
    const item = fc.nat(COUNT - 1).map((n) => `item-000${n}`);
    const plan = fc.record({
      /** Missing from the listing, which reports them as failed. */
      named: fc.uniqueArray(item, { maxLength: 2 }),
      /** Missing from the listing, which does not know which items they are. */
      nameless: fc.uniqueArray(item, { maxLength: 2 }),
      /** In the listing, but with unreadable content. */
      unreadable: fc.uniqueArray(item, { maxLength: 2 }),
      /** Missing from the listing, and must be looked up one by one. */
      lookedUp: fc.uniqueArray(item, { maxLength: 2 }),
      removed: fc.uniqueArray(item, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ named, nameless, unreadable, lookedUp, removed }) => {
        const { source, client, system } = on;
        source.reset();
        on.connector = await client.createConnector(newCollection(system.collection.collections), 'scripted_rich');
        on.fill(COUNT);
        const all = [...source.items.keys()];
        for (const id of all) source.principals.set(id, [ada]);
        expect((await on.sync()).status).toBe(JobStatus.COMPLETED);

        for (const id of all) source.items.set(id, `new text of ${id}`);
        for (const id of removed) source.items.delete(id);
        const listed = new Set(all.filter((id) => ![...removed, ...named, ...nameless, ...lookedUp].includes(id)));
        for (const id of all) if (!listed.has(id)) source.unlisted.add(id);
        for (const id of [...unreadable, ...lookedUp]) source.unreadable.add(id);
        source.confirmGone = true;
        source.failures.push(...named.map((id) => failed(id, 'invalid')));
        source.failures.push(...nameless.map((id) => failed(`unreadable:${id}`, UNREADABLE_ENTRY)));
        const job = await on.sync();

        // Items that the listing does not name are looked up and found.
        const fine = [...source.items.keys()].filter((id) => !named.includes(id) && !source.unreadable.has(id));
        for (const id of fine) expect(on.document(id)).toMatchObject({ indexings: 2, principals: [ada] });
        expect(job.progress?.indexed).toBe(fine.length);
        const gone = all.filter((id) => !source.items.has(id) && !named.includes(id) && !source.unreadable.has(id));
        const isComplete = nameless.length === 0;
        expect(on.liveIds()).toEqual(isComplete ? all.filter((id) => !gone.includes(id)) : all);
        for (const id of [...named, ...unreadable.filter((each) => listed.has(each))]) {
          expect(job.errors.map(({ path }) => path)).toContain(id);
        }
        const isClean = job.errors.length === 0;
        expect(job.status).toBe(isClean ? JobStatus.COMPLETED : JobStatus.COMPLETED_WITH_ERRORS);
      }),
      { numRuns: runCount({ quick: 3, full: 6 }), endOnFailure: true },
    );
  }, 240_000);

  it('does not fail other items if its id cannot be stored, and is indexed if only its title cannot', async () => {
    on.fill(2);
    const long = randomBytes(3_000).toString('hex');
    for (const id of ['with\0nul', 'half\uD800', long]) on.source.items.set(id, 'text');
    on.source.titles.set('item-0000', 'A\0title \uDC00');
    on.source.failures.push({ ...failed('item-0009', 'invalid'), path: 'a\0path' } as SourceEvent);
    const job = await on.sync();
    expect(job.status).toBe(JobStatus.COMPLETED_WITH_ERRORS);
    expect(job.errors).toHaveLength(4);
    expect(on.liveIds()).toEqual(['item-0000', 'item-0001']);
    expect(on.document('item-0000').request?.title).toBe('A\uFFFDtitle \uFFFD');
  });

  it('has no readers while its permissions are unreadable, and other items keep their readers', async () => {
    on.fill(3);
    for (const id of on.source.items.keys()) on.source.principals.set(id, [ada]);
    await on.sync();
    on.source.unreadable.add('item-0001');
    on.source.beforeGroups = async () => {
      throw new TypeError('Cannot read properties of undefined');
    };
    const { job } = await on.client.syncs.startPermissionRefresh({ connectorId: on.connector.id }, on.client.as());
    expect((await on.client.ended(on.connector.id, job!.id)).status).toBe(JobStatus.COMPLETED);
    expect(
      on
        .live()
        .map(({ principals }) => principals.length)
        .sort(),
    ).toEqual([0, 1, 1]);
  });
});
