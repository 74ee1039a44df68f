import { describe, expect, it } from '@jest/globals';
import { type GraphModel, type GraphServer, runCount, startGraphServer } from '@lectern/testing';
import fc from 'fast-check';
import type { Connector } from '#connector';
import { granteesOf, Permission } from '#microsoft-365/files/permission';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { createPathFilter } from '#settings/path-filter';
import type { SourceEvent } from '#source';
import { openType } from './support/open-type.ts';
import { call, collect } from './support/read-source.ts';
import { createTestHost } from './support/test-host.ts';

/** A change to one of the items of a library; numbers wrap around. */
interface Edit {
  readonly how: 'file' | 'folder' | 'write' | 'rename' | 'move' | 'remove' | 'share';
  readonly item: number;
  readonly folder: number;
  readonly name: string;
}

const NAMES = ['a', 'b', 'Über', '100%', 'x y', '#1', 'a.txt'] as const;

const edits = (maxLength: number) =>
  fc.array(
    fc.record({
      how: fc.constantFrom<Edit['how'][]>(
        'file',
        'file',
        'file',
        'folder',
        'write',
        'rename',
        'move',
        'remove',
        'share',
      ),
      item: fc.nat(1_000),
      folder: fc.nat(1_000),
      name: fc.constantFrom(...NAMES),
    }),
    { maxLength },
  );

function apply(model: GraphModel, driveId: string, { how, item, folder, name }: Edit): void {
  const live = model.itemsOf(driveId).filter(({ isDeleted }) => !isDeleted);
  const folders = live.filter(({ kind }) => kind === 'folder' || kind === 'root');
  const others = live.filter(({ kind }) => kind !== 'root');
  const parent = folders[folder % folders.length]!;
  const target = others[item % Math.max(others.length, 1)];
  if (how === 'file') model.add(driveId, name, { parentId: parent.id, content: name });
  else if (how === 'folder') model.add(driveId, name, { parentId: parent.id, kind: 'folder' });
  else if (target === undefined) return;
  else if (how === 'write' && target.kind === 'file') model.write(target.id, `${name} again`);
  else if (how === 'rename') model.rename(target.id, name);
  else if (how === 'remove') model.remove(target.id);
  else if (how === 'share') model.share(target.id, []);
  else if (how === 'move') {
    // A folder cannot move into itself.
    for (let at: string | undefined = parent.id; at !== undefined; at = model.items.get(at)?.parentId) {
      if (at === target.id) return;
    }
    model.move(target.id, parent.id);
  }
}

/** Returns the files that the reference has, with the versions and paths. */
const reference = (model: GraphModel, driveId: string) =>
  new Map(
    model
      .itemsOf(driveId)
      .filter(({ kind, isDeleted }) => kind === 'file' && !isDeleted)
      .map((item) => [
        `${driveId}/${item.id}`,
        { version: `{${item.id}},${item.version}`, path: model.pathOf(item).join('/') },
      ]),
  );

async function start(pageSize: number, config: Record<string, unknown> = {}) {
  const server = await startGraphServer({ pageSize });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model, tenantId, clientId, clientSecret } = server;
  const library = model.addLibrary(model.addSite('/sites/marketing').id);
  const settings = { sites: ['https://example.sharepoint.com/sites/marketing'], endpoint: server.origin, ...config };
  return {
    ...{ server, model, library },
    open: () => openType(microsoft365Type, settings, { tenantId, clientId, clientSecret }, host),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

type State = Map<string, { readonly version: string | undefined; readonly path: string }>;

function store(state: State, event: SourceEvent): void {
  // The last occurrence of an item on a page counts.
  if (event.type === 'item') expect(event.ref.title).not.toMatch(/^outdated/);
  if (event.type === 'item') state.set(event.ref.id, { version: event.ref.version, path: event.ref.path });
  if (event.type === 'gone') state.delete(event.id);
}

/** Lists everything like the sync engine: confirms each known file that was not listed. */
async function listAll(connector: Connector, state: State): Promise<void> {
  const listed = new Set<string>();
  const known = [...state.keys()];
  for await (const event of connector.list(call)) {
    store(state, event);
    if (event.type === 'item') listed.add(event.ref.id);
  }
  for (const id of known) {
    if (listed.has(id)) continue;
    const ref = await connector.resolve(call, id);
    if (ref === null) state.delete(id);
    else state.set(id, { version: ref.version, path: ref.path });
  }
}

/** Applies each edit before one of the next requests. */
function editDuring(
  { server, model, driveId }: { server: GraphServer; model: GraphModel; driveId: string },
  list: readonly Edit[],
) {
  const left = [...list];
  server.before(({ path }) => {
    const next = path.includes('delta') ? left.shift() : undefined;
    if (next !== undefined) apply(model, driveId, next);
  });
  return () => {
    server.before();
    for (const edit of left) apply(model, driveId, edit);
  };
}

describe('the files of Microsoft 365 against a reference', () => {
  it('are complete and current after a listing and its change feed, whatever changes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        edits(25),
        edits(12),
        edits(8),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (before, during, after, pageSize, repeats) => {
          const { server, model, library, open, stop } = await start(pageSize);
          try {
            server.repeatItems(repeats);
            for (const edit of before) apply(model, library.id, edit);
            const state: State = new Map();
            let cursor = await open().cursor!(call);
            const finish = editDuring({ server, model, driveId: library.id }, during);
            await listAll(open(), state);
            finish();
            for (const list of [after, []]) {
              for (const edit of list) apply(model, library.id, edit);
              try {
                for await (const event of open().changes!(call, cursor)) {
                  store(state, event);
                  if (event.type === 'checkpoint') cursor = event.at;
                }
              } catch (error) {
                expect(error).toMatchObject({ kind: 'gone' });
                cursor = await open().cursor!(call);
                await listAll(open(), state);
              }
              expect(state).toEqual(reference(model, library.id));
            }
          } finally {
            await stop();
          }
        },
      ),
      { numRuns: runCount({ quick: 20, full: 200 }) },
    );
  });

  it('follow each change of a file or folder, with their paths', async () => {
    await fc.assert(
      fc.asyncProperty(edits(15), edits(12), fc.integer({ min: 1, max: 9 }), async (before, after, pageSize) => {
        const { model, library, open, stop } = await start(pageSize, { pathFilter: ['!100%'] });
        const isWanted = createPathFilter(['!100%']);
        try {
          for (const edit of before) apply(model, library.id, edit);
          const state: State = new Map();
          let cursor = await open().cursor!(call);
          await listAll(open(), state);
          for (const edit of after) {
            apply(model, library.id, edit);
            try {
              for await (const event of open().changes!(call, cursor)) {
                store(state, event);
                if (event.type === 'checkpoint') cursor = event.at;
              }
            } catch (error) {
              expect(error).toMatchObject({ kind: 'gone' });
              cursor = await open().cursor!(call);
              await listAll(open(), state);
            }
            const wanted = [...reference(model, library.id)].filter(([, { path }]) => isWanted(path));
            expect(state).toEqual(new Map(wanted));
          }
        } finally {
          await stop();
        }
      }),
      { numRuns: runCount({ quick: 20, full: 200 }) },
    );
  });

  it('have their paths and match the filter, from every checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(
        edits(30),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        fc.constantFrom<string[][]>([], ['a'], ['a/**'], ['!b'], ['*.txt', 'Über'], ['100%', '!100%/a']),
        async (list, pageSize, repeats, pathFilter) => {
          const { server, model, library, open, stop } = await start(pageSize, { pathFilter });
          try {
            server.repeatItems(repeats);
            for (const edit of list) apply(model, library.id, edit);
            const isWanted = createPathFilter(pathFilter);
            const wanted = new Map([...reference(model, library.id)].filter(([, { path }]) => isWanted(path)));
            const events = await collect(open().list(call));
            for (const [at, event] of [...events.entries()]) {
              if (event.type !== 'checkpoint' && at > 0) continue;
              const state: State = new Map();
              for (const earlier of at === 0 ? [] : events.slice(0, at)) store(state, earlier);
              const from = event.type === 'checkpoint' ? event.at : undefined;
              for await (const later of open().list(call, from)) store(state, later);
              expect(state).toEqual(wanted);
            }
            for (const [id, { path }] of reference(model, library.id)) {
              expect((await open().resolve(call, id))?.path).toBe(isWanted(path) ? path : undefined);
            }
          } finally {
            await stop();
          }
        },
      ),
      { numRuns: runCount({ quick: 20, full: 150 }) },
    );
  });
});

describe('a permission of Microsoft 365', () => {
  const id = '11111111-2222-4333-8444-555555555555';
  const identity = fc.record(
    {
      user: fc.record({ id: fc.constantFrom(id, '14', '') }, { requiredKeys: [] }),
      group: fc.record({ id: fc.constantFrom(id, '14') }, { requiredKeys: [] }),
      siteUser: fc.record({ loginName: fc.constantFrom('c:0(.s|true', 'c:0!.s|x', `c:0t.c|tenant|${id}`, 'i:0#.f|x') }),
      siteGroup: fc.record({ displayName: fc.constantFrom('Team Members', '') }),
      application: fc.record({ id: fc.constant(id) }),
    },
    { requiredKeys: [] },
  );
  const permission = fc.record(
    {
      roles: fc.array(fc.constantFrom('read', 'write', 'owner', 'sp.limited access', 'review'), { maxLength: 2 }),
      grantedToV2: identity,
      grantedToIdentitiesV2: fc.array(identity, { maxLength: 2 }),
      link: fc.record(
        {
          scope: fc.constantFrom('anonymous', 'organization', 'users', 'existingAccess', 'x'),
          type: fc.constantFrom('view', 'edit', 'createOnly'),
        },
        { requiredKeys: [] },
      ),
      expirationDateTime: fc.constantFrom(
        '2020-01-01T00:00:00Z',
        '2999-01-01T00:00:00Z',
        '0001-01-01T00:00:00Z',
        'soon',
      ),
      hasPassword: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  it('grants access only if it is certain to whom', () => {
    fc.assert(
      fc.property(permission, (raw) => {
        const grantees = granteesOf(Permission.parse(raw), Date.parse('2026-06-01T00:00:00Z'));
        const { roles = [], link, hasPassword, expirationDateTime: end } = raw;
        const canRead = roles.some((role) => ['read', 'write', 'owner'].includes(role));
        const isOver = end === 'soon' || end?.startsWith('2020') === true;
        if (!canRead || isOver) expect(grantees).toEqual([]);
        const isOpen = link?.scope === 'anonymous' && link.type !== 'createOnly' && hasPassword !== true;
        expect(grantees.some(({ kind }) => kind === 'anyone')).toBe(canRead && !isOver && isOpen);
        for (const grantee of grantees) if ('id' in grantee) expect(grantee.id).toBe(id);
        const named = JSON.stringify([raw.grantedToV2, raw.grantedToIdentitiesV2]);
        const isShared = link?.scope === 'organization' || named.includes('c:0(.s|true');
        if (!isShared) expect(grantees.some(({ kind }) => kind === 'organization')).toBe(false);
      }),
    );
  });
});
