import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchRuleMatch } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;

beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

/** A team with a collection and documents: two that everybody can read, and one that only Ada can. */
async function newTeam() {
  const caller = createCaller();
  const call = callAs(caller);
  const { id: collectionId } = await service.collections.createCollection({ name: 'Texts' }, call);
  const create = async (title: string, principals?: string[]) => {
    const request = { collectionId, title, content: title, ...(principals && { principals }) };
    return (await service.documents.createDocument(request, call)).id;
  };
  const [first = '', second = '', secret = ''] = [
    await create('First'),
    await create('Second'),
    await create('Secret', ['user:ada@example.com']),
  ];
  return { caller, call, collectionId, first, second, secret };
}

const pinsOf = (...ids: readonly string[]) => ids.map((documentId, at) => ({ documentId, position: at + 1 }));

const versionOf = async (call: ReturnType<typeof callAs>) =>
  (await service.collections.resolveCollections({ ids: [] }, call)).searchRulesVersion;

describe('search rules', () => {
  it('can be created, read, changed, listed and deleted', async () => {
    const { call, first, second } = await newTeam();
    const created = await service.searchRules.createSearchRule(
      { query: ' Annual  leave ', pins: pinsOf(first), hiddenDocumentIds: [second] },
      call,
    );
    expect(created).toMatchObject({
      query: 'Annual leave',
      match: SearchRuleMatch.EXACT,
      pins: [{ documentId: first, position: 1 }],
      hiddenDocumentIds: [second],
      enabled: true,
      collectionId: undefined,
    });
    const { id } = created;
    expect(await service.searchRules.getSearchRule({ id }, call)).toEqual(created);
    const changes = { match: SearchRuleMatch.CONTAINS, hiddenDocuments: { ids: [] }, enabled: false };
    const changed = await service.searchRules.updateSearchRule({ id, ...changes }, call);
    expect(changed).toMatchObject({
      query: 'Annual leave',
      match: SearchRuleMatch.CONTAINS,
      pins: created.pins,
      hiddenDocumentIds: [],
      enabled: false,
    });
    expect(changed.revision).not.toBe(created.revision);
    expect((await service.searchRules.listSearchRules({ query: 'LEAVE' }, call)).rules).toEqual([changed]);
    expect((await service.searchRules.listSearchRules({ query: 'travel' }, call)).rules).toEqual([]);
    await service.searchRules.deleteSearchRule({ id }, call);
    await expect(service.searchRules.getSearchRule({ id }, call)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('change only if the expected revision is current', async () => {
    const { call, first } = await newTeam();
    const { id, revision } = await service.searchRules.createSearchRule({ query: 'a', pins: pinsOf(first) }, call);
    const precondition = { revisions: [revision] };
    await service.searchRules.updateSearchRule({ id, enabled: false, precondition }, call);
    for (const attempt of [
      () => service.searchRules.updateSearchRule({ id, enabled: true, precondition }, call),
      () => service.searchRules.deleteSearchRule({ id, precondition }, call),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'precondition_failed' });
    }
  });

  it('are created once under a chosen id, and once for the same words', async () => {
    const { call, first } = await newTeam();
    const request = { query: 'Leave', pins: pinsOf(first), id: newId('search_rule') };
    const attempts = await Promise.all([1, 2, 3].map(() => service.searchRules.createSearchRule(request, call)));
    expect(new Set(attempts.map(({ id }) => id))).toEqual(new Set([request.id]));
    const again = service.searchRules.createSearchRule({ query: 'LEAVE', pins: pinsOf(first) }, call);
    await expect(again).rejects.toMatchObject({ code: 'conflict', details: { ruleId: request.id } });
    const contains = { query: 'leave', match: SearchRuleMatch.CONTAINS, pins: pinsOf(first) };
    const other = await service.searchRules.createSearchRule(contains, call);
    const change = service.searchRules.updateSearchRule({ id: other.id, match: SearchRuleMatch.EXACT }, call);
    await expect(change).rejects.toMatchObject({ code: 'conflict' });
  });

  it('report every invalid field', async () => {
    const { call, first, second } = await newTeam();
    const attempt = service.searchRules.createSearchRule(
      {
        query: '…',
        pins: [
          { documentId: first, position: 0 },
          { documentId: first, position: 101 },
          { documentId: second, position: 101 },
        ],
        hiddenDocumentIds: [second],
      },
      call,
    );
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        issues: [
          { path: 'query', message: 'must contain a letter, a digit or an emoji' },
          { path: 'pins[0].position', message: 'must be between 1 and 100' },
          { path: 'pins[1].position', message: 'must be between 1 and 100' },
          { path: 'pins[1].documentId', message: 'must differ from the other documents' },
          { path: 'pins[2].position', message: 'must be between 1 and 100' },
          { path: 'pins[2].position', message: 'must differ from the other positions' },
          { path: 'hides[0]', message: 'must differ from the other documents' },
        ],
      },
    });
    const empty = service.searchRules.createSearchRule({ query: 'a' }, call);
    await expect(empty).rejects.toMatchObject({ details: { issues: [{ path: 'pins' }] } });
  });

  it('can only name documents that the caller can read', async () => {
    const { caller, call, collectionId, first, secret } = await newTeam();
    const foreign = (await newTeam()).first;
    const other = (await service.collections.createCollection({ name: 'Other' }, call)).id;
    const asPerson = (email: string) => callAs({ ...caller, userEmail: email, mayManage: true });
    const unreadable = [
      [call, foreign],
      [call, newId('document')],
      [call, 'nonsense'],
      [asPerson('eve@example.com'), secret],
      [callAs({ ...caller, scope: { kind: 'only', ids: [other] } }), first],
    ] as const;
    for (const [as, id] of unreadable) {
      const rule = { query: 'a', hiddenDocumentIds: [id], collectionId: as === call ? undefined : other };
      const attempt = service.searchRules.createSearchRule(rule, as);
      await expect(attempt).rejects.toMatchObject({
        code: 'invalid_request',
        details: { issues: [{ path: 'hides[0]', message: 'must be the id of a document that you can read' }] },
      });
    }
    const request = { query: 'a', hiddenDocumentIds: [secret], collectionId };
    await service.searchRules.createSearchRule(request, asPerson('ada@example.com'));
    const imported = { rules: [{ query: 'b', pins: pinsOf(first, secret), hiddenDocumentIds: [] }] };
    const importing = service.searchRules.importSearchRules(imported, asPerson('eve@example.com'));
    await expect(importing).rejects.toMatchObject({
      details: { issues: [{ path: 'rules[0].pins[1].documentId' }] },
    });
  });

  it('can be changed after one of their documents was deleted', async () => {
    const { call, first, second } = await newTeam();
    const { id } = await service.searchRules.createSearchRule({ query: 'a', pins: pinsOf(first, second) }, call);
    await service.documents.deleteDocument({ id: first }, call);
    const pins = { values: pinsOf(second, first) };
    expect((await service.searchRules.updateSearchRule({ id, pins }, call)).pins).toEqual(pins.values);
    const exported = await service.searchRules.exportSearchRules({}, call);
    expect(await service.searchRules.importSearchRules(exported, call)).toMatchObject({ unchanged: 1 });
  });

  it('are invisible to other teams, and limited to the collections of a restricted key', async () => {
    const { caller, call, collectionId, first } = await newTeam();
    const ofTeam = await service.searchRules.createSearchRule({ query: 'a', pins: pinsOf(first) }, call);
    const ofMine = await service.searchRules.createSearchRule({ query: 'a', pins: pinsOf(first), collectionId }, call);
    const other = (await newTeam()).call;
    for (const attempt of [
      () => service.searchRules.getSearchRule({ id: ofTeam.id }, other),
      () => service.searchRules.updateSearchRule({ id: ofTeam.id, enabled: false }, other),
      () => service.searchRules.deleteSearchRule({ id: ofTeam.id }, other),
      () => service.searchRules.exportSearchRules({ collectionId }, other),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await service.searchRules.listSearchRules({}, other)).rules).toEqual([]);
    expect((await service.searchRules.loadSearchRules({}, other)).rules).toEqual([]);

    const scoped = callAs({ ...caller, scope: { kind: 'only', ids: [collectionId] } });
    expect((await service.searchRules.listSearchRules({}, scoped)).rules.map(({ id }) => id)).toEqual([ofMine.id]);
    const named = { query: 'b', pins: pinsOf(first), hiddenDocumentIds: [] };
    for (const attempt of [
      () => service.searchRules.getSearchRule({ id: ofTeam.id }, scoped),
      () => service.searchRules.updateSearchRule({ id: ofTeam.id, enabled: false }, scoped),
      () => service.searchRules.deleteSearchRule({ id: ofTeam.id }, scoped),
      () => service.searchRules.createSearchRule(named, scoped),
      () => service.searchRules.updateSearchRule({ id: ofMine.id, collectionId: '' }, scoped),
      () => service.searchRules.importSearchRules({ rules: [named] }, scoped),
      () => service.searchRules.exportSearchRules({}, scoped),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
    }
    const user = callAs({ ...caller, userEmail: 'ada@example.com' });
    await expect(service.searchRules.listSearchRules({}, user)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are imported as they were exported', async () => {
    const { call, collectionId, first, second } = await newTeam();
    await service.searchRules.createSearchRule({ query: 'old', pins: pinsOf(first) }, call);
    await service.searchRules.createSearchRule({ query: 'leave', pins: pinsOf(first), enabled: false }, call);
    const { rules } = await service.searchRules.exportSearchRules({}, call);
    expect(rules.map(({ query }) => query)).toEqual(['leave', 'old']);
    const all = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
    expect(await service.searchRules.importSearchRules({ rules }, call)).toEqual({ ...all, unchanged: 2 });
    const changed = [
      { query: 'LEAVE', pins: pinsOf(second), hiddenDocumentIds: [first] },
      { query: 'new', pins: pinsOf(first), hiddenDocumentIds: [] },
    ];
    expect(await service.searchRules.importSearchRules({ rules: changed, replace: true }, call)).toEqual({
      created: 1,
      updated: 1,
      unchanged: 0,
      deleted: 1,
    });
    expect((await service.searchRules.exportSearchRules({}, call)).rules).toMatchObject([
      { query: 'new' },
      { query: 'LEAVE', pins: pinsOf(second), hiddenDocumentIds: [first], enabled: true },
    ]);
    const inCollection = await service.searchRules.importSearchRules({ rules: changed, collectionId }, call);
    expect(inCollection).toMatchObject({ created: 2 });
    const twice = service.searchRules.importSearchRules({ rules: [changed[0]!, changed[0]!] }, call);
    await expect(twice).rejects.toMatchObject({ details: { issues: [{ path: 'rules[1].query' }] } });
  });

  it('are listed by a part of their words, literally', async () => {
    const { call, first } = await newTeam();
    await service.searchRules.createSearchRule({ query: '100% remote', pins: pinsOf(first) }, call);
    await service.searchRules.createSearchRule({ query: 'remote', pins: pinsOf(first) }, call);
    const listed = async (query: string) => (await service.searchRules.listSearchRules({ query }, call)).rules.length;
    expect(await Promise.all(['%', '_', '0% r', 'REMOTE'].map(listed))).toEqual([1, 0, 1, 2]);
  });

  it('can be changed while their collection is being deleted', async () => {
    const { call, first, collectionId } = await newTeam();
    const create = (query: string) =>
      service.searchRules.createSearchRule({ query, pins: pinsOf(first), collectionId }, call);
    await create('before');
    const changes = ['a', 'b', 'c', 'd'].map((query) => create(query).catch((error: unknown) => error));
    await service.collections.deleteCollection({ id: collectionId }, call);
    for (const result of await Promise.all(changes)) {
      if (result instanceof Error) expect(['not_found', 'invalid_request']).toContain(Object(result).code);
    }
    expect((await service.searchRules.listSearchRules({}, call)).rules).toEqual([]);
  });

  it('have a new version after every change, and are deleted with their collection', async () => {
    const { call, collectionId, first } = await newTeam();
    const versions = [await versionOf(call)];
    expect(versions).toEqual(['']);
    const { id } = await service.searchRules.createSearchRule({ query: 'a', pins: pinsOf(first), collectionId }, call);
    versions.push(await versionOf(call));
    await service.searchRules.updateSearchRule({ id, enabled: false }, call);
    versions.push(await versionOf(call));
    expect((await service.searchRules.loadSearchRules({}, call)).rules).toEqual([]);
    await service.searchRules.updateSearchRule({ id, enabled: true }, call);
    const loaded = await service.searchRules.loadSearchRules({}, call);
    expect(loaded).toMatchObject({ version: await versionOf(call), rules: [{ id }] });
    versions.push(loaded.version);
    await service.collections.deleteCollection({ id: collectionId }, call);
    await expect(service.searchRules.getSearchRule({ id }, call)).rejects.toMatchObject({ code: 'not_found' });
    versions.push(await versionOf(call));
    expect(new Set(versions).size).toBe(versions.length);
  });
});
