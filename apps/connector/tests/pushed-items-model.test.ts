import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type ItemChange, SyncMode } from '@lectern/contracts';
import { runCount, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { newCollection } from './support/connector-client.ts';
import { permissions, push, put, remove } from './support/push-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

// Any sequence of pushes, deletions, snapshots, syncs and cancellations, compared with a model that
// remembers every change.

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const READERS = [['public'], ['user:ada@example.com'], ['user:bob@example.com', 'group:staff:all'], []];

interface Put {
  readonly text: string;
  /** Its file cannot be opened. */
  readonly isBroken: boolean;
}

/** All changes of an item that were not deleted, by revision. */
class ExpectedItem {
  readonly puts = new Map<number, Put>();
  readonly readers = new Map<number, readonly string[]>();
  deleted = -1;

  static newest<T>(values: ReadonlyMap<number, T>): readonly [number, T | undefined] {
    const revision = Math.max(-1, ...values.keys());
    return [revision, values.get(revision)];
  }

  get content(): Put | undefined {
    return ExpectedItem.newest(this.puts)[1];
  }

  get principals(): readonly string[] {
    return ExpectedItem.newest(this.readers)[1] ?? ['public'];
  }

  #set<T>(values: Map<number, T>, revision: number, value: T): boolean {
    if (revision <= this.deleted || revision <= ExpectedItem.newest(values)[0]) return false;
    values.set(revision, value);
    return true;
  }

  put(revision: number, content: Put, principals: readonly string[] | undefined): boolean {
    const isNew = this.#set(this.puts, revision, content);
    return (principals !== undefined && this.permit(revision, principals)) || isNew;
  }

  permit(revision: number, principals: readonly string[]): boolean {
    return this.#set(this.readers, revision, principals);
  }

  delete(revision: number): boolean {
    if (revision <= this.deleted) return false;
    const before = this.readers.size === 0 ? undefined : ExpectedItem.newest(this.readers)[0];
    this.deleted = revision;
    for (const values of [this.puts, this.readers]) {
      for (const known of [...values.keys()]) if (known <= revision) values.delete(known);
    }
    const after = this.readers.size === 0 ? undefined : ExpectedItem.newest(this.readers)[0];
    return this.content === undefined || before !== after;
  }

  deleteNow(): void {
    this.delete(Math.max(this.deleted, ...this.puts.keys(), ...this.readers.keys()));
  }

  /** A snapshot did not name the item: it can return with the same revision. */
  removeUnnamed(): void {
    const [revision, content] = ExpectedItem.newest(this.puts);
    if (content === undefined) return;
    this.deleted = Math.max(this.deleted, revision - 1);
    this.puts.clear();
  }
}

class Model {
  readonly items = new Map(IDS.map((id) => [id, new ExpectedItem()]));
  /** The items that the open snapshot named; undefined if no snapshot is open. */
  named: Set<string> | undefined;
  wasCancelled = false;

  item(id: string): ExpectedItem {
    const found = this.items.get(id);
    if (found === undefined) throw new Error(`There is no item ${id}.`);
    return found;
  }

  get expected() {
    return [...this.items].flatMap(([id, { content, principals }]) =>
      content === undefined
        ? []
        : [{ id, principals: [...principals], ...(content.isBroken ? { isBroken: true } : { text: content.text }) }],
    );
  }
}

class Real {
  connectorId = '';
  snapshotId = '';
  lastPush: readonly Change[] = [];
}

let system: TestSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
function mustEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isSame(actual, expected)) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

// --- Changes ---

interface Change {
  readonly id: string;
  readonly revision: number;
  readonly action: 'put' | 'put_broken' | 'permissions' | 'delete';
  readonly principals: readonly string[] | undefined;
  readonly text: string;
}

let nextRevision = 0;
const changeOf = fc.record({
  id: fc.constantFrom(...IDS),
  age: fc.nat(9),
  action: fc.constantFrom('put', 'put', 'put', 'put_broken', 'permissions', 'delete'),
  readers: fc.option(fc.constantFrom(...READERS), { nil: undefined }),
  text: fc.constantFrom('Thirty days.', 'Two weeks.', 'Nothing at all.'),
});
type Draft = typeof changeOf extends fc.Arbitrary<infer Value> ? Value : never;

/** Gives a change its own revision. Changes of a lower age are newer, whenever they arrive. */
function toChange({ id, age, action, readers, text }: Draft): Change {
  nextRevision += 1;
  const principals = action === 'permissions' ? (readers ?? ['public']) : readers;
  return { id, revision: (10 - age) * 1_000_000 + nextRevision, action, principals, text };
}

function toMessage({ id, revision, action, principals, text }: Change): ItemChange {
  const readers = principals === undefined ? {} : { principals };
  switch (action) {
    case 'put':
      return put(id, revision, text, readers);
    case 'put_broken':
      return put(id, revision, `%PDF-1.4 ${text}`, { fileName: 'a.pdf', mimeType: 'application/pdf', ...readers });
    case 'permissions':
      return permissions(id, revision, principals ?? []);
    case 'delete':
      return remove(id, revision);
  }
}

function applyTo(model: Model, { id, revision, action, principals, text }: Change): boolean {
  const item = model.item(id);
  switch (action) {
    case 'put':
    case 'put_broken':
      return item.put(revision, { text, isBroken: action === 'put_broken' }, principals);
    case 'permissions':
      return item.permit(revision, principals ?? []);
    case 'delete':
      return item.delete(revision);
  }
}

// --- Commands ---

type Command = fc.AsyncCommand<Model, Real>;

async function pushAll(model: Model, real: Real, changes: readonly Change[], inSnapshot: boolean): Promise<void> {
  const snapshotId = inSnapshot && model.named !== undefined ? real.snapshotId : undefined;
  const { results } = await push(system.client, real.connectorId, changes.map(toMessage), snapshotId);
  const accepted = changes.map((change) => applyTo(model, change));
  mustEqual(
    results.map((result) => result.accepted),
    accepted,
    'The accepted changes',
  );
  changes.forEach(({ id }, at) => {
    if (snapshotId !== undefined || accepted[at] === true) model.named?.add(id);
  });
}

class Push implements Command {
  readonly #drafts: readonly Draft[];
  readonly #inSnapshot: boolean;
  constructor(drafts: readonly Draft[], inSnapshot: boolean) {
    this.#drafts = drafts;
    this.#inSnapshot = inSnapshot;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    real.lastPush = this.#drafts.map(toChange);
    await pushAll(model, real, real.lastPush, this.#inSnapshot);
  }
  toString = () => `push${this.#inSnapshot ? ' in the snapshot' : ''} ${JSON.stringify(this.#drafts)}`;
}

class Repeat implements Command {
  check = () => true;
  run = (model: Model, real: Real): Promise<void> => pushAll(model, real, real.lastPush, false);
  toString = () => 'repeat the last push';
}

/** Two pushes at the same time. Which changes are accepted depends on the order; the result does not. */
class PushTogether implements Command {
  readonly #drafts: readonly (readonly Draft[])[];
  constructor(drafts: readonly (readonly Draft[])[]) {
    this.#drafts = drafts;
  }
  check = (model: Readonly<Model>) => model.named === undefined;
  async run(model: Model, real: Real): Promise<void> {
    const batches = this.#drafts.map((drafts) => drafts.map(toChange));
    await Promise.all(batches.map((batch) => push(system.client, real.connectorId, batch.map(toMessage))));
    for (const change of batches.flat()) applyTo(model, change);
  }
  toString = () => `push together ${JSON.stringify(this.#drafts)}`;
}

class Delete implements Command {
  readonly #id: string;
  constructor(id: string) {
    this.#id = id;
  }
  check = (model: Readonly<Model>) => model.item(this.#id).content !== undefined;
  async run(model: Model, real: Real): Promise<void> {
    const request = { connectorId: real.connectorId, id: this.#id, revision: undefined };
    await system.client.items.deleteItem(request, system.client.as());
    model.item(this.#id).deleteNow();
  }
  toString = () => `delete ${this.#id}`;
}

class StartSnapshot implements Command {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const request = { connectorId: real.connectorId, id: undefined };
    real.snapshotId = (await system.client.items.startSnapshot(request, system.client.as())).id;
    model.named = new Set();
  }
  toString = () => 'start a snapshot';
}

class EndSnapshot implements Command {
  readonly #how: 'complete' | 'cancel';
  constructor(how: 'complete' | 'cancel') {
    this.#how = how;
  }
  check = (model: Readonly<Model>) => model.named !== undefined;
  async run(model: Model, real: Real): Promise<void> {
    const { items, as } = system.client;
    const request = { connectorId: real.connectorId, snapshotId: real.snapshotId };
    if (this.#how === 'cancel') await items.cancelSnapshot(request, as());
    else {
      await items.completeSnapshot({ ...request, confirmDeletions: false }, as());
      for (const [id, item] of model.items) if (model.named?.has(id) === false) item.removeUnnamed();
    }
    model.named = undefined;
  }
  toString = () => `${this.#how} the snapshot`;
}

const activeJobs = (real: Real) =>
  system.rows<{ id: string }>(
    `SELECT id FROM connector.sync_jobs WHERE connector_id = $1 AND status IN ('queued', 'running')`,
    real.connectorId,
  );

/** A job that has started or ended in the meantime is a conflict. */
function ignoreConflict(error: unknown): void {
  if (Object(error).code !== 'conflict') throw error;
}

class Sync implements Command {
  readonly #mode: SyncMode;
  constructor(mode: SyncMode) {
    this.#mode = mode;
  }
  check = () => true;
  async run(_model: Model, real: Real): Promise<void> {
    await system.client.sync(real.connectorId, { mode: this.#mode }).catch(ignoreConflict);
  }
  toString = () => `sync ${this.#mode === SyncMode.FULL ? 'full' : 'auto'}`;
}

class RefreshPermissions implements Command {
  check = () => true;
  async run(_model: Model, real: Real): Promise<void> {
    const request = { connectorId: real.connectorId };
    await system.client.syncs.startPermissionRefresh(request, system.client.as()).catch(ignoreConflict);
  }
  toString = () => 'refresh the permissions';
}

class CancelJob implements Command {
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    for (const { id: jobId } of await activeJobs(real)) {
      const request = { connectorId: real.connectorId, jobId };
      await system.client.syncs.cancelJob(request, system.client.as()).catch(ignoreConflict);
      model.wasCancelled = true;
    }
  }
  toString = () => 'cancel the job';
}

const untilQuiet = (real: Real) =>
  waitUntil(
    async () => {
      // One statement: a due refresh becomes an active job.
      const busy = await system.rows(
        `SELECT FROM connector.connectors WHERE id = $1 AND (
          EXISTS (SELECT FROM connector.sync_jobs WHERE connector_id = $1 AND status IN ('queued', 'running'))
          OR EXISTS (SELECT FROM connector.sync_states WHERE connector_id = $1 AND permissions_due))`,
        real.connectorId,
      );
      return busy.length === 0;
    },
    { what: 'all jobs to end', timeoutMs: 30_000 },
  );

async function settle(model: Model, real: Real): Promise<void> {
  await untilQuiet(real);
  if (model.wasCancelled) {
    model.wasCancelled = false;
    await system.client.sync(real.connectorId);
    await untilQuiet(real);
  }
  const found = system.collection.live(real.connectorId).map(({ externalId: id, principals, status, request }) => ({
    ...{ id, principals: [...principals] },
    ...(status === 'failed' ? { isBroken: true } : { text: request?.content }),
  }));
  found.sort((left, right) => left.id.localeCompare(right.id));
  mustEqual(found, model.expected, 'The documents');
}

class Settle implements Command {
  check = () => true;
  run = settle;
  toString = () => 'wait and compare';
}

const drafts = fc.array(changeOf, { minLength: 1, maxLength: 6 });
const commands = fc.commands(
  [
    fc.tuple(drafts, fc.boolean()).map(([all, inSnapshot]) => new Push(all, inSnapshot)),
    fc.tuple(drafts, fc.boolean()).map(([all, inSnapshot]) => new Push(all, inSnapshot)),
    fc.array(drafts, { minLength: 2, maxLength: 3 }).map((all) => new PushTogether(all)),
    fc.constant(new Repeat()),
    fc.constantFrom(...IDS).map((id) => new Delete(id)),
    fc.constant(new StartSnapshot()),
    fc.constantFrom('complete' as const, 'complete' as const, 'cancel' as const).map((how) => new EndSnapshot(how)),
    fc.constantFrom(SyncMode.AUTO, SyncMode.FULL).map((mode) => new Sync(mode)),
    fc.constant(new RefreshPermissions()),
    fc.constant(new CancelJob()),
    fc.constant(new Settle()),
  ],
  { maxCommands: 16 },
);

async function start(): Promise<Real> {
  const real = new Real();
  real.connectorId = (await system.client.createConnector(newCollection(system.collection.collections), 'custom')).id;
  return real;
}

describe('pushed items', () => {
  it('become the documents that a model of all changes expects', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (all) => {
        const model = new Model();
        const real = await start();
        await fc.asyncModelRun(() => ({ model, real }), all);
        await settle(model, real);
      }),
      { numRuns: runCount({ quick: 8, full: 60 }), endOnFailure: true },
    );
  });
});
