import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN, REVISION, WHEN_TEXT } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const lastRequest = (method: string) =>
  gateway.services.calls.findLast((call: { readonly method: string }) => call.method === method)?.request;

const RECORD = {
  id: KNOWN.synonym,
  terms: ['PTO', 'paid time off'],
  input: [],
  collection: KNOWN.collection,
  enabled: true,
  source: 'custom',
  createdAt: WHEN_TEXT,
  updatedAt: WHEN_TEXT,
};

describe('synonyms', () => {
  it('are listed by collection, source and text', async () => {
    const path = `/api/v1/synonyms?collection=${KNOWN.collection}&source=custom&query=pto&limit=5`;
    const { json } = await gateway.send('GET', path);
    expect(json.data).toEqual([RECORD]);
    expect(lastRequest('listSynonyms')).toMatchObject({
      collectionId: KNOWN.collection,
      source: 'custom',
      query: 'pto',
      page: { page: 1, limit: 5 },
    });
  });

  it('are two-way, enabled and for the whole team by default', async () => {
    const created = await gateway.send('POST', '/api/v1/synonyms', {
      json: { terms: ['PTO', 'paid time off'], collection: KNOWN.collection },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('etag')).toContain(REVISION);
    expect(lastRequest('createSynonym')).toMatchObject({ terms: ['PTO', 'paid time off'], input: [], enabled: true });
    await gateway.send('PUT', `/api/v1/synonyms/${KNOWN.synonym}`, { json: { collection: null, input: ['PTO'] } });
    expect(lastRequest('updateSynonym')).toMatchObject({
      collectionId: '',
      input: { values: ['PTO'] },
      terms: undefined,
      enabled: undefined,
    });
  });

  it.each([
    [{ terms: [] }, 'terms'],
    [{ terms: ['a', ''] }, 'terms[1]'],
    [{ terms: ['a', 'x'.repeat(101)] }, 'terms[1]'],
    [{ terms: ['a', 'b'], surprise: 1 }, 'surprise'],
    [{ terms: Array.from({ length: 51 }, (_, at) => `a${at}`) }, 'terms'],
  ])('are rejected if they are malformed: %j', async (json, field) => {
    expectError(await gateway.send('POST', '/api/v1/synonyms', { json }), 400, 'invalid_request', field);
  });

  it('are imported from text or JSON, but not both', async () => {
    const collection = KNOWN.collection;
    const synonyms = [{ input: ['a'], terms: ['b'] }];
    const imported = await gateway.send('POST', '/api/v1/synonyms/import', {
      json: { synonyms, collection, replace: true },
    });
    expect(imported.json.data).toEqual({ created: 1, unchanged: 0, deleted: 0 });
    expect(lastRequest('importSynonyms')).toMatchObject({
      synonyms: [{ input: ['a'], terms: ['b'], enabled: true }],
      text: undefined,
      replace: true,
    });
    for (const json of [{ collection }, { text: 'a, b', synonyms, collection }]) {
      expectError(await gateway.send('POST', '/api/v1/synonyms/import', { json }), 400, 'invalid_request', 'text');
    }
  });

  it('are exported as text or as JSON that an import accepts', async () => {
    const text = await gateway.send('GET', '/api/v1/synonyms/export');
    expect(text.json.data).toEqual({ format: 'solr', count: 1, text: 'PTO, paid time off\n' });
    const { json } = await gateway.send('GET', '/api/v1/synonyms/export?format=json&source=workplace-en');
    expect(json.data).toEqual({
      format: 'json',
      count: 1,
      synonyms: [{ terms: ['PTO', 'paid time off'], input: [], enabled: true }],
    });
    expect(lastRequest('exportSynonyms')).toMatchObject({ source: 'workplace-en' });
  });

  it('are in the audit log with every change, and so are packs', async () => {
    await gateway.send('DELETE', `/api/v1/synonyms/${KNOWN.synonym}`);
    await gateway.send('POST', '/api/v1/synonyms/import', { json: { text: 'a, b', collection: KNOWN.collection } });
    const pack = await gateway.send('PUT', '/api/v1/synonyms/packs/workplace-en', { json: { enabled: false } });
    expect(pack.json.data).toEqual({
      name: 'workplace-en',
      language: 'en',
      enabled: true,
      synonymCount: 1_232,
      disabledCount: 0,
    });
    const { json } = await gateway.send('GET', '/api/v1/audit?limit=3');
    expect(json.data).toMatchObject([
      { action: 'updateSynonymPack', resource: { type: 'synonym_pack', id: 'workplace-en' } },
      { action: 'importSynonyms', resource: { type: 'synonym' } },
      { action: 'deleteSynonym', resource: { type: 'synonym', id: KNOWN.synonym } },
    ]);
  });
});
