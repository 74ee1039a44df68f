import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import fc from 'fast-check';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;

beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

const newTeam = () => {
  const caller = createCaller();
  return { caller, call: callAs(caller) };
};

const versionOf = async (call: ReturnType<typeof callAs>) =>
  (await service.collections.resolveCollections({ ids: [] }, call)).synonymsVersion;

describe('synonyms', () => {
  it('can be created, read, changed, listed and deleted', async () => {
    const { call } = newTeam();
    const created = await service.synonyms.createSynonym({ terms: ['PTO', ' paid  time off ', 'pto', 'PTO'] }, call);
    expect(created).toMatchObject({
      terms: ['PTO', 'paid time off', 'pto'],
      input: [],
      enabled: true,
      source: 'custom',
      collectionId: undefined,
    });
    expect(await service.synonyms.getSynonym({ id: created.id }, call)).toEqual(created);

    const changes = { id: created.id, input: { values: ['PTO'] }, terms: { values: ['leave'] }, enabled: false };
    const changed = await service.synonyms.updateSynonym(changes, call);
    expect(changed).toMatchObject({ input: ['PTO'], terms: ['leave'], enabled: false });
    expect(changed.revision).not.toBe(created.revision);

    const list = await service.synonyms.listSynonyms({ source: 'custom' }, call);
    expect(list.synonyms).toEqual([changed]);
    await service.synonyms.deleteSynonym({ id: created.id }, call);
    const read = service.synonyms.getSynonym({ id: created.id }, call);
    await expect(read).rejects.toMatchObject({ code: 'not_found' });
  });

  it('change only if the expected revision is current', async () => {
    const { call } = newTeam();
    const { id, revision } = await service.synonyms.createSynonym({ terms: ['a', 'b'] }, call);
    const precondition = { revisions: [revision] };
    await service.synonyms.updateSynonym({ id, enabled: false, precondition }, call);
    for (const attempt of [
      () => service.synonyms.updateSynonym({ id, enabled: true, precondition }, call),
      () => service.synonyms.deleteSynonym({ id, precondition }, call),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'precondition_failed' });
    }
  });

  it('are created once under a chosen id', async () => {
    const { call } = newTeam();
    const request = { terms: ['a', 'b'], id: newId('synonym') };
    const attempts = await Promise.all([1, 2, 3].map(() => service.synonyms.createSynonym(request, call)));
    expect(new Set(attempts.map(({ id }) => id))).toEqual(new Set([request.id]));
    const others = service.synonyms.createSynonym(request, newTeam().call);
    await expect(others).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each([
    [{ terms: ['alone'] }, 'terms: must have at least 2 different terms'],
    [{ terms: ['same', 'Same'] }, 'terms: must have at least 2 different terms'],
    [{ input: ['same'], terms: ['Same'] }, 'terms: must have at least 1 term that is not in the input'],
    [{ terms: ['a', '…'] }, 'terms: "…" must contain a letter, a digit or an emoji'],
    [{ terms: ['a', 'x'.repeat(101)] }, 'must have at most 100 characters'],
    [{ terms: ['a', 'a b c d e f g h i j k'] }, 'must have at most 10 words'],
    [{ terms: Array.from({ length: 51 }, (_, at) => `term${at}`) }, 'terms: must have at most 50 terms'],
  ])('are rejected beyond their limits: %j', async (request, message) => {
    const creation = service.synonyms.createSynonym(request, newTeam().call);
    await expect(creation).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message),
    });
  });

  it('are invisible to other teams', async () => {
    const { call } = newTeam();
    const other = newTeam().call;
    const { id } = await service.synonyms.createSynonym({ terms: ['secret', 'hidden'] }, call);
    for (const attempt of [
      () => service.synonyms.getSynonym({ id }, other),
      () => service.synonyms.updateSynonym({ id, enabled: false }, other),
      () => service.synonyms.deleteSynonym({ id }, other),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await service.synonyms.listSynonyms({ source: 'custom' }, other)).synonyms).toEqual([]);
    expect((await service.synonyms.exportSynonyms({}, other)).synonyms).toEqual([]);
    expect((await service.synonyms.loadSynonyms({}, other)).synonyms).toEqual([]);
  });

  it('are limited to the collections of a restricted key', async () => {
    const { caller, call } = newTeam();
    const mine = await service.collections.createCollection({ name: 'Mine' }, call);
    const other = await service.collections.createCollection({ name: 'Other' }, call);
    const scoped = callAs({ ...caller, scope: { kind: 'only', ids: [mine.id] } });
    const ofTeam = await service.synonyms.createSynonym({ terms: ['a', 'b'] }, call);
    const ofOther = await service.synonyms.createSynonym({ terms: ['a', 'c'], collectionId: other.id }, call);
    const ofMine = await service.synonyms.createSynonym({ terms: ['a', 'd'], collectionId: mine.id }, scoped);
    expect((await service.synonyms.listSynonyms({}, scoped)).synonyms.map(({ id }) => id)).toEqual([ofMine.id]);
    const [rule] = (await service.synonyms.listSynonyms({ source: 'workplace-en' }, call)).synonyms;
    const forbidden = [
      ...[ofTeam.id, ofOther.id, rule?.id ?? ''].flatMap((id) => [
        () => service.synonyms.getSynonym({ id }, scoped),
        () => service.synonyms.updateSynonym({ id, enabled: false }, scoped),
        () => service.synonyms.deleteSynonym({ id }, scoped),
      ]),
      () => service.synonyms.createSynonym({ terms: ['a', 'e'] }, scoped),
      () => service.synonyms.createSynonym({ terms: ['a', 'e'], collectionId: other.id }, scoped),
      () => service.synonyms.updateSynonym({ id: ofMine.id, collectionId: other.id }, scoped),
      () => service.synonyms.updateSynonym({ id: ofMine.id, collectionId: '' }, scoped),
      () => service.synonyms.importSynonyms({ text: 'a, e' }, scoped),
      () => service.synonyms.importSynonyms({ text: 'a, e', collectionId: other.id }, scoped),
      () => service.synonyms.exportSynonyms({}, scoped),
      () => service.synonyms.exportSynonyms({ collectionId: other.id }, scoped),
      () => service.synonyms.listSynonymPacks({}, scoped),
      () => service.synonyms.updateSynonymPack({ name: 'workplace-en', enabled: false }, scoped),
    ];
    for (const attempt of forbidden) await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
    expect((await service.synonyms.exportSynonyms({ collectionId: mine.id }, scoped)).text).toBe('a, d\n');
  });

  it('are not available to end users', async () => {
    const { caller } = newTeam();
    const user = callAs({ ...caller, userEmail: 'ada@example.com' });
    const attempts = [
      () => service.synonyms.listSynonyms({}, user),
      () => service.synonyms.createSynonym({ terms: ['a', 'b'] }, user),
      () => service.synonyms.updateSynonymPack({ name: 'workplace-en', enabled: false }, user),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are deleted with their collection', async () => {
    const { call } = newTeam();
    const { id: collectionId } = await service.collections.createCollection({ name: 'Old' }, call);
    const { id } = await service.synonyms.createSynonym({ terms: ['a', 'b'], collectionId }, call);
    const before = await versionOf(call);
    await service.collections.deleteCollection({ id: collectionId }, call);
    await expect(service.synonyms.getSynonym({ id }, call)).rejects.toMatchObject({ code: 'not_found' });
    expect(await versionOf(call)).not.toBe(before);
    const late = service.synonyms.createSynonym({ terms: ['a', 'b'], collectionId }, call);
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
  });

  it('have a new version after every change, for the team only', async () => {
    const { call } = newTeam();
    const other = newTeam().call;
    const versions = [await versionOf(call)];
    expect(versions).toEqual(['']);
    const { id } = await service.synonyms.createSynonym({ terms: ['a', 'b'] }, call);
    versions.push(await versionOf(call));
    await service.synonyms.updateSynonym({ id, enabled: false }, call);
    versions.push(await versionOf(call));
    await service.synonyms.importSynonyms({ text: 'c, d' }, call);
    versions.push(await versionOf(call));
    await service.synonyms.updateSynonymPack({ name: 'workplace-de', enabled: false }, call);
    versions.push(await versionOf(call));
    await service.synonyms.deleteSynonym({ id }, call);
    versions.push(await versionOf(call));
    expect(new Set(versions).size).toBe(versions.length);
    expect((await service.synonyms.loadSynonyms({}, call)).version).toBe(versions.at(-1));
    expect(await versionOf(other)).toBe('');
  });
});

describe('packs of synonyms', () => {
  it('ship with Lectern, are on, and can be switched off', async () => {
    const { call } = newTeam();
    const { packs } = await service.synonyms.listSynonymPacks({}, call);
    expect(packs).toMatchObject([
      { name: 'workplace-en', language: 'en', enabled: true, disabledRuleCount: 0 },
      { name: 'workplace-de', language: 'de', enabled: true, disabledRuleCount: 0 },
    ]);
    for (const { ruleCount } of packs) expect(ruleCount).toBeGreaterThanOrEqual(300);
    const off = await service.synonyms.updateSynonymPack({ name: 'workplace-en', enabled: false }, call);
    expect(off.enabled).toBe(false);
    expect((await service.synonyms.loadSynonyms({}, call)).disabledPacks).toEqual(['workplace-en']);
    expect((await service.synonyms.loadSynonyms({}, newTeam().call)).disabledPacks).toEqual([]);
    await service.synonyms.updateSynonymPack({ name: 'workplace-en', enabled: true }, call);
    expect((await service.synonyms.loadSynonyms({}, call)).disabledPacks).toEqual([]);
    const unknown = service.synonyms.updateSynonymPack({ name: 'workplace-xx', enabled: true }, call);
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('have synonyms that can be found and switched off one by one, but not changed', async () => {
    const { call } = newTeam();
    const found = await service.synonyms.listSynonyms({ query: 'PAYSLIP', page: { page: 1, limit: 100 } }, call);
    const [rule] = found.synonyms;
    if (rule === undefined) throw new Error('The pack has no such rule.');
    expect(found.synonyms.every(({ input, terms }) => /payslip/i.test([...input, ...terms].join(' ')))).toBe(true);
    expect(rule).toMatchObject({ source: 'workplace-en', enabled: true });
    const off = await service.synonyms.updateSynonym({ id: rule.id, enabled: false }, call);
    expect(off).toMatchObject({ id: rule.id, enabled: false });
    expect((await service.synonyms.loadSynonyms({}, call)).disabledRuleIds).toEqual([rule.id]);
    expect((await service.synonyms.getSynonym({ id: rule.id }, newTeam().call)).enabled).toBe(true);
    const change = service.synonyms.updateSynonym({ id: rule.id, terms: { values: ['x', 'y'] } }, call);
    await expect(change).rejects.toMatchObject({ code: 'conflict' });
    await expect(service.synonyms.deleteSynonym({ id: rule.id }, call)).rejects.toMatchObject({ code: 'conflict' });
    expect(await service.synonyms.updateSynonym({ id: rule.id, enabled: true }, call)).toMatchObject({ enabled: true });
  });

  it('can be exported and imported as custom synonyms', async () => {
    const { call } = newTeam();
    const { text, synonyms } = await service.synonyms.exportSynonyms({ source: 'workplace-de' }, call);
    const result = await service.synonyms.importSynonyms({ text }, call);
    expect(result).toEqual({ created: synonyms.length, unchanged: 0, deleted: 0 });
    const exported = await service.synonyms.exportSynonyms({}, call);
    expect(exported.text).toBe(text);
  });
});

describe('an import of synonyms', () => {
  it('keeps what exists, and deletes the rest of its scope only with replace', async () => {
    const { call } = newTeam();
    const { id: collectionId } = await service.collections.createCollection({ name: 'Handbook' }, call);
    await service.synonyms.importSynonyms({ text: 'of, collection', collectionId }, call);
    await service.synonyms.importSynonyms({ text: 'a, b\nc => d' }, call);
    const more = await service.synonyms.importSynonyms({ text: '# more\nb, a\n\ne, f\ne, f' }, call);
    expect(more).toEqual({ created: 1, unchanged: 1, deleted: 0 });
    const replaced = await service.synonyms.importSynonyms({ text: 'e, f\ng, h', replace: true }, call);
    expect(replaced).toEqual({ created: 1, unchanged: 1, deleted: 2 });
    const ofCollection = await service.synonyms.exportSynonyms({ collectionId }, call);
    expect(ofCollection.text).toBe('of, collection\n');
  });

  it('changes nothing if a line is invalid, and reports every invalid line', async () => {
    const { call } = newTeam();
    const attempt = service.synonyms.importSynonyms({ text: 'a, b\nalone\n\nx => y => z' }, call);
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'text: line 2: must have at least 2 different terms; text: line 4: must have at most one =>',
    });
    const json = service.synonyms.importSynonyms({ synonyms: [{ terms: ['a', 'b'] }, { terms: ['c'] }] }, call);
    await expect(json).rejects.toMatchObject({
      message: 'synonyms[1].terms: must have at least 2 different terms',
    });
    expect((await service.synonyms.exportSynonyms({}, call)).synonyms).toEqual([]);
  });

  it('is rejected as a whole beyond the limits of a team', async () => {
    const { call } = newTeam();
    const lines = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `word${from + at}, synonym${from + at}`).join('\n');
    await service.synonyms.importSynonyms({ text: lines(0, 4_999) }, call);
    const many = service.synonyms.importSynonyms({ text: lines(4_998, 3) }, call);
    await expect(many).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('5000 custom synonyms'),
    });
    expect(await service.synonyms.importSynonyms({ text: lines(4_998, 2) }, call)).toMatchObject({ created: 1 });
  });

  it('is rejected beyond the pairs of terms of a team', async () => {
    const { call } = newTeam();
    const terms = (count: number, line: number) =>
      Array.from({ length: count }, (_, at) => `word${line}x${at}`).join(', ');
    const large = Array.from({ length: 40 }, (_, line) => terms(50, line));
    expect(await service.synonyms.importSynonyms({ text: large.join('\n') }, call)).toMatchObject({ created: 40 });
    await expect(service.synonyms.createSynonym({ input: ['a'], terms: ['b'] }, call)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('100000 pairs of terms'),
    });
    await service.synonyms.importSynonyms({ text: large.slice(1).join('\n'), replace: true }, call);
    const oneWay = { input: terms(50, 41).split(', '), terms: terms(49, 42).split(', ') };
    await service.synonyms.createSynonym(oneWay, call);
    await service.synonyms.createSynonym({ input: terms(50, 43).split(', '), terms: ['b'] }, call);
    await expect(service.synonyms.createSynonym({ input: ['a'], terms: ['b'] }, call)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('restores what an export returns, in both formats', async () => {
    const term = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const rule = fc.record({
      input: fc.array(term, { maxLength: 3 }),
      terms: fc.array(term, { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 6 }), async (rules) => {
        const { call } = newTeam();
        for (const { input, terms } of rules) {
          await service.synonyms.createSynonym({ input, terms }, call).catch(() => undefined);
        }
        const exported = await service.synonyms.exportSynonyms({}, call);
        const [asText, asJson] = [newTeam().call, newTeam().call];
        await service.synonyms.importSynonyms({ text: exported.text }, asText);
        await service.synonyms.importSynonyms({ synonyms: exported.synonyms }, asJson);
        const again = new Set((await service.synonyms.exportSynonyms({}, asText)).text.split('\n'));
        expect(again).toEqual(new Set(exported.text.split('\n')));
        const json = await service.synonyms.exportSynonyms({}, asJson);
        expect(new Set(json.text.split('\n'))).toEqual(again);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
