import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;

beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

describe('collections', () => {
  it('can be created, read, changed, listed newest first and deleted', async () => {
    const call = callAs(createCaller());
    const first = await service.collections.createCollection({ name: 'Handbook', description: 'How we work' }, call);
    const second = await service.collections.createCollection({ name: 'Contracts' }, call);
    expect(first).toMatchObject({ name: 'Handbook', description: 'How we work', documentCount: 0, embeddingCount: 0 });
    expect(first.embeddingModel).toMatch(/^builtin-/);

    const renamed = await service.collections.updateCollection({ id: first.id, name: 'Rules' }, call);
    expect(renamed).toMatchObject({ name: 'Rules', description: 'How we work' });
    const cleared = await service.collections.updateCollection({ id: first.id, description: '' }, call);
    expect(cleared.description).toBeUndefined();

    const page = await service.collections.listCollections({ page: { page: 1, limit: 1 } }, call);
    expect(page.collections.map(({ id }) => id)).toEqual([second.id]);
    expect(page.page).toEqual({ page: 1, limit: 1, total: 2, hasMore: true });

    await service.collections.deleteCollection({ id: first.id }, call);
    await expect(service.collections.getCollection({ id: first.id }, call)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(service.collections.deleteCollection({ id: first.id }, call)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are created once under a chosen id, and never under the id of another team', async () => {
    const call = callAs(createCaller());
    const request = { name: 'Once', id: newId('collection') };
    const attempts = await Promise.all([1, 2, 3].map(() => service.collections.createCollection(request, call)));
    attempts.push(await service.collections.createCollection(request, call));
    expect(attempts.map(({ id }) => id)).toEqual(new Array(4).fill(request.id));
    expect((await service.collections.listCollections({}, call)).page?.total).toBe(1);
    const others = service.collections.createCollection(request, callAs(createCaller()));
    await expect(others).rejects.toMatchObject({ code: 'conflict' });
    const wrong = service.collections.createCollection({ name: 'x', id: newId('agent') }, call);
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('reject an unknown embedding model and list the known ones', async () => {
    const creation = service.collections.createCollection(
      { name: 'x', embeddingModel: 'nope' },
      callAs(createCaller()),
    );
    await expect(creation).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('builtin-'),
    });
  });

  it('are not found by another team, like unknown ids', async () => {
    const { id } = await service.collections.createCollection({ name: 'Secret' }, callAs(createCaller()));
    const otherTeam = callAs(createCaller());
    for (const other of [id, newId('collection'), 'col_1', '', "'; --"]) {
      const call = service.collections.getCollection({ id: other }, otherTeam);
      await expect(call).rejects.toMatchObject({ code: 'not_found', details: { resource: 'collection', id: other } });
    }
    expect((await service.collections.resolveCollections({ ids: [] }, otherTeam)).collections).toEqual([]);
  });

  it('are forbidden and not listed if they are outside the scope of a key', async () => {
    const owner = createCaller();
    const allowed = await service.collections.createCollection({ name: 'Allowed' }, callAs(owner));
    const other = await service.collections.createCollection({ name: 'Other' }, callAs(owner));
    const scoped = callAs({ ...owner, scope: { kind: 'only', ids: [allowed.id] } });
    await expect(service.collections.getCollection({ id: other.id }, scoped)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(service.collections.createCollection({ name: 'x' }, scoped)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const listed = await service.collections.listCollections({}, scoped);
    expect(listed.collections.map(({ id }) => id)).toEqual([allowed.id]);
    expect(listed.page?.total).toBe(1);
    const resolved = await service.collections.resolveCollections({ ids: [] }, scoped);
    expect(resolved.collections.map(({ id }) => id)).toEqual([allowed.id]);
    await expect(service.collections.resolveCollections({ ids: [allowed.id, other.id] }, scoped)).rejects.toMatchObject(
      {
        code: 'forbidden',
      },
    );
  });
});
