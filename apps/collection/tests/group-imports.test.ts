import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller, runCount, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const PEOPLE = ['ada', 'bob'] as const;
const GROUPS = ['group:site:one', 'group:site:two', 'group:site:three'] as const;
const MEMBERS = [...PEOPLE.map((name) => `user:${name}@example.com`), ...GROUPS];

let service: TestCollection;
beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

type Members = Readonly<Record<string, readonly string[]>>;

/** The last import of one group by one connector. */
interface GroupImport {
  readonly order: number;
  readonly members: readonly string[];
}

interface ModelConnector {
  readonly id: string;
  isDeleted: boolean;
  completedAt: number | undefined;
  open:
    | { readonly generation: string; readonly order: number; readonly groups: Map<string, readonly string[]> }
    | undefined;
  readonly importedGroups: Set<string>;
  readonly imports: Map<string, GroupImport>;
  readonly documents: Map<string, readonly string[]>;
}

/**
 * The access rule of docs/permissions.md: the newest import of a group by any connector counts.
 */
class Model {
  clock = 0;
  readonly connectors: ModelConnector[] = [];
  /** Documents without a connector, or whose connector was deleted. */
  readonly standalone = new Map<string, readonly string[]>();

  /** Groups of a document that its connector's last complete import does not contain have no members. */
  recordMissingGroups(connector: ModelConnector, principals: readonly string[], renew: boolean): void {
    if (connector.completedAt === undefined) return;
    for (const principal of principals) {
      if (connector.importedGroups.has(principal) || (!renew && connector.imports.has(principal))) continue;
      connector.imports.set(principal, { order: connector.completedAt, members: [] });
    }
  }

  complete(connector: ModelConnector): void {
    const { open } = connector;
    if (open === undefined) return;
    for (const principal of connector.importedGroups)
      connector.imports.set(principal, { order: open.order, members: [] });
    connector.importedGroups.clear();
    for (const [principal, members] of open.groups) {
      connector.importedGroups.add(principal);
      connector.imports.set(principal, { order: open.order, members });
    }
    connector.completedAt = open.order;
    connector.open = undefined;
    this.recordMissingGroups(connector, [...connector.documents.values()].flat(), true);
  }

  membersOf(principal: string): readonly string[] {
    const imports = this.connectors.flatMap((connector) =>
      connector.isDeleted ? [] : (connector.imports.get(principal) ?? []),
    );
    return imports.sort((one, other) => other.order - one.order)[0]?.members ?? [];
  }

  includes(principal: string, user: string, seen: ReadonlySet<string> = new Set()): boolean {
    if (principal === user) return true;
    if (seen.has(principal)) return false;
    return this.membersOf(principal).some((member) => this.includes(member, user, new Set([...seen, principal])));
  }

  foundBy(user: string): string[] {
    const all = [...this.standalone, ...this.connectors.flatMap(({ documents }) => [...documents])];
    return all
      .flatMap(([title, readers]) => (readers.some((reader) => this.includes(reader, user)) ? [title] : []))
      .sort();
  }
}

type Step =
  | { readonly do: 'create' | 'drop' | 'delete' | 'deleteConnectorOnly'; readonly at: number }
  | { readonly do: 'read' | 'open' | 'part'; readonly at: number; readonly groups: Members }
  | {
      readonly do: 'document' | 'setPermissions';
      readonly at: number;
      readonly name: string;
      readonly readers: readonly string[];
    }
  | { readonly do: 'standalone'; readonly at: number; readonly name: string; readonly readers: readonly string[] };

const at = fc.nat(2);
const groups = fc.dictionary(
  fc.constantFrom(...GROUPS),
  fc.uniqueArray(fc.constantFrom(...MEMBERS), { maxLength: 3 }),
  {
    noNullPrototype: true,
  },
);
const document = {
  at,
  name: fc.constantFrom('a', 'b'),
  readers: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }),
};
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), at }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), at, groups }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'part' as const), at, groups }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('document' as const, 'setPermissions' as const), ...document }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('standalone' as const), ...document }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('drop' as const, 'delete' as const, 'deleteConnectorOnly' as const),
      at,
    }),
  },
);

/** Returns a team in the service and its model. */
async function newTeam() {
  const caller = createCaller();
  const call = callAs(caller);
  const { documents } = service;
  const { id: collectionId } = await service.collections.createCollection({ name: 'Site' }, call);
  const model = new Model();

  const send = (connectorId: string, generation: string, groups: Members, part: number, complete: boolean) =>
    documents.replaceGroups(
      {
        connectorId,
        generation,
        groups: Object.entries(groups).map(([principal, members]) => ({ principal, members: [...members] })),
        complete,
        part,
      },
      call,
    );
  const open = async (connector: ModelConnector, groups: Members) => {
    model.clock += 1;
    const generation = newId('job');
    await send(connector.id, generation, groups, 0, false);
    if (!connector.isDeleted) {
      connector.open = { generation, order: model.clock, groups: new Map(Object.entries(groups)) };
    }
  };
  const remove = async (connector: ModelConnector, keep: boolean) => {
    await documents.dropGroups({ connectorId: connector.id, deleted: true }, call);
    connector.isDeleted = true;
    if (keep) for (const [title, readers] of connector.documents) model.standalone.set(title, readers);
    else await documents.deleteConnectorDocuments({ connectorId: connector.id }, call);
    connector.documents.clear();
  };

  const run = async (next: Step): Promise<void> => {
    if (next.do === 'create') {
      model.connectors[next.at] ??= {
        id: newId('connector'),
        isDeleted: false,
        completedAt: undefined,
        open: undefined,
        importedGroups: new Set(),
        imports: new Map(),
        documents: new Map(),
      };
      return;
    }
    if (next.do === 'standalone') {
      const content = { title: `standalone ${next.name}`, content: 'Text.', externalId: next.name };
      // A document without principals would be public.
      const principals = ['user:none@example.com', ...next.readers];
      await documents.createDocument({ collectionId, ...content, principals }, call);
      model.standalone.set(content.title, next.readers);
      return;
    }
    const connector = model.connectors[next.at];
    if (connector === undefined) return;
    const { id: connectorId, isDeleted } = connector;
    switch (next.do) {
      case 'read':
        await open(connector, {});
        await send(connectorId, connector.open?.generation ?? newId('job'), next.groups, 1, true);
        if (isDeleted) return;
        for (const [principal, members] of Object.entries(next.groups)) connector.open?.groups.set(principal, members);
        return model.complete(connector);
      case 'open':
        return open(connector, next.groups);
      case 'part':
        // A late part of a replaced import changes nothing; a late part of the open import
        // completes it.
        await send(
          connectorId,
          connector.open?.generation ?? newId('job'),
          next.groups,
          1,
          connector.open !== undefined,
        );
        for (const [principal, members] of Object.entries(next.groups)) connector.open?.groups.set(principal, members);
        return model.complete(connector);
      case 'document': {
        if (isDeleted) return;
        const title = `${next.at} ${next.name}`;
        const item = { externalId: next.name, title, content: 'Text.', type: 'text', source: 'site' };
        await documents.indexItem({ connectorId, collectionId, ...item, principals: [...next.readers] }, call);
        model.recordMissingGroups(connector, next.readers, false);
        connector.documents.set(title, next.readers);
        return;
      }
      case 'setPermissions': {
        const title = `${next.at} ${next.name}`;
        if (!connector.documents.has(title)) return;
        const items = [{ externalId: next.name, principals: [...next.readers] }];
        await documents.setPermissions({ connectorId, items }, call);
        model.recordMissingGroups(connector, next.readers, false);
        connector.documents.set(title, next.readers);
        return;
      }
      case 'drop':
        await documents.dropGroups({ connectorId, deleted: false }, call);
        connector.open = undefined;
        connector.importedGroups.clear();
        for (const [principal, { order }] of connector.imports)
          connector.imports.set(principal, { order, members: [] });
        return;
      default:
        return isDeleted ? undefined : remove(connector, next.do === 'deleteConnectorOnly');
    }
  };

  const foundBy = async (person: string) => {
    const as = callAs({ ...caller, userEmail: `${person}@example.com` });
    const list = await documents.listDocuments({ collectionId, page: { page: 1, limit: 100 } }, as);
    const { documentCount } = await service.collections.getCollection({ id: collectionId }, as);
    const { principals } = await service.collections.resolveCollections({ ids: [collectionId] }, as);
    expect(documentCount).toBe(list.documents.length);
    const ownGroups = GROUPS.filter((group) => model.includes(group, `user:${person}@example.com`));
    expect(GROUPS.filter((group) => principals?.values.includes(group))).toEqual(ownGroups);
    return list.documents.map(({ title }) => title).sort();
  };
  return { caller, call, collectionId, model, run, foundBy };
}

const readers = (...names: string[]) => names.map((name) => `user:${name}@example.com`);

describe('groups', () => {
  it('let an end user find a document if and only if the newest import of its groups allows it', async () => {
    const plan = fc.array(step, { minLength: 4, maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const team = await newTeam();
        await team.run({ do: 'create', at: 0 });
        await team.run({ do: 'create', at: 1 });
        for (const next of steps) {
          await team.run(next);
          for (const person of PEOPLE) {
            expect(await team.foundBy(person)).toEqual(team.model.foundBy(`user:${person}@example.com`));
          }
        }
      }),
      { numRuns: runCount({ quick: 6, full: 20 }) },
    );
  }, 300_000);

  it('grant no access after their connector is deleted, even to documents that were kept', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    await team.run({ do: 'create', at: 1 });
    await team.run({ do: 'read', at: 0, groups: { [GROUPS[0]]: readers('ada') } });
    await team.run({ do: 'document', at: 0, name: 'a', readers: [GROUPS[0]] });
    await team.run({ do: 'document', at: 1, name: 'a', readers: [GROUPS[0]] });
    expect(await team.foundBy('ada')).toEqual(['0 a', '1 a']);
    await team.run({ do: 'deleteConnectorOnly', at: 0 });
    expect(await team.foundBy('ada')).toEqual([]);
    await team.run({ do: 'read', at: 1, groups: { [GROUPS[0]]: readers('ada') } });
    expect(await team.foundBy('ada')).toEqual(['0 a', '1 a']);
  });

  it('are deleted with the collection of their connector', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    await team.run({ do: 'read', at: 0, groups: { [GROUPS[0]]: readers('ada') } });
    await team.run({ do: 'document', at: 0, name: 'a', readers: [GROUPS[0]] });
    const as = callAs({ ...team.caller, userEmail: 'ada@example.com' });
    expect((await service.collections.resolveCollections({ ids: [] }, as)).principals?.values).toContain(GROUPS[0]);
    await service.collections.deleteCollection({ id: team.collectionId }, team.call);
    expect((await service.collections.resolveCollections({ ids: [] }, as)).principals?.values).not.toContain(GROUPS[0]);
  });

  it('lose their members a day after the first failed import, and regain them after a successful one', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    await team.run({ do: 'read', at: 0, groups: { [GROUPS[0]]: readers('ada') } });
    await team.run({ do: 'document', at: 0, name: 'a', readers: [GROUPS[0]] });
    await team.run({ do: 'open', at: 0, groups: {} });
    expect(await team.foundBy('ada')).toEqual(['0 a']);
    const connectorId = team.model.connectors[0]!.id;
    await service.context.db.groupReading.update({
      where: { connectorId },
      data: { failingSince: new Date(Date.now() - 25 * 3_600_000) },
    });
    await team.run({ do: 'open', at: 0, groups: {} });
    const as = callAs({ ...team.caller, userEmail: 'ada@example.com' });
    expect((await service.documents.listDocuments({ collectionId: team.collectionId }, as)).documents).toEqual([]);
    await team.run({ do: 'read', at: 0, groups: { [GROUPS[0]]: readers('ada') } });
    expect(await team.foundBy('ada')).toEqual(['0 a']);
  });

  it('do not count a cancelled import as a failed one', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    const connectorId = team.model.connectors[0]!.id;
    const send = (generation: string, part: number, cancelled: boolean) =>
      service.documents.replaceGroups({ connectorId, generation, part, cancelled }, callAs(team.caller));
    const read = () => service.context.db.groupReading.findUniqueOrThrow({ where: { connectorId } });

    await send('one', 0, false);
    expect((await read()).failingSince).not.toBeNull();
    await send('other', 1, true);
    expect(await read()).toMatchObject({ openGeneration: 'one', failingSince: expect.any(Date) });
    await send('one', 1, true);
    expect(await read()).toMatchObject({ openGeneration: null, openedAt: null, failingSince: null });

    const failingSince = new Date(Date.now() - 3_600_000);
    await service.context.db.groupReading.update({ where: { connectorId }, data: { failingSince } });
    await send('two', 0, false);
    await send('two', 1, true);
    expect(await read()).toMatchObject({ openGeneration: null, failingSince });
  });

  it('are stored even if another group of the same import has an invalid name', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    await team.run({ do: 'document', at: 0, name: 'a', readers: [GROUPS[0]] });
    const groups = [
      { principal: 'group:site:a\0b', members: readers('bob') },
      { principal: GROUPS[0], members: [...readers('ada'), 'user:site:\0'] },
    ];
    const connectorId = team.model.connectors[0]!.id;
    const request = { connectorId, generation: 'one', groups, complete: true, part: 0 };
    await service.documents.replaceGroups(request, callAs(team.caller));
    const as = callAs({ ...team.caller, userEmail: 'ada@example.com' });
    const { documents } = await service.documents.listDocuments({ collectionId: team.collectionId }, as);
    expect(documents.map(({ title }) => title)).toEqual(['0 a']);
  });

  it('are not dropped by a call for an end user', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    await team.run({ do: 'read', at: 0, groups: { [GROUPS[0]]: readers('ada') } });
    const connectorId = team.model.connectors[0]!.id;
    const as = callAs({ ...team.caller, userEmail: 'bob@example.com' });
    for (const deleted of [false, true])
      await expect(service.documents.dropGroups({ connectorId, deleted }, as)).rejects.toMatchObject({
        code: 'forbidden',
      });
  });

  it('are listed by connector only for internal services', async () => {
    const team = await newTeam();
    await team.run({ do: 'create', at: 0 });
    await team.run({ do: 'read', at: 0, groups: { [GROUPS[0]]: readers('ada') } });
    await waitUntil(
      async () => {
        const system = callAs({ ...team.caller, keyId: undefined });
        const { connectors } = await service.documents.listGroupConnectors({ after: '' }, system);
        return connectors.some(({ connectorId }) => connectorId === team.model.connectors[0]!.id);
      },
      { what: 'the connector to be listed', timeoutMs: 5_000 },
    );
    await expect(service.documents.listGroupConnectors({ after: '' }, team.call)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
