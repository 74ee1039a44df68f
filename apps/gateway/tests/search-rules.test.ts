import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SearchRuleMatch } from '@lectern/contracts';
import { waitUntil } from '@lectern/testing';
import { createKeyPair } from '#keys/pair-store';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.splice(0);
});

const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;

const RECORD = {
  id: KNOWN.searchRule,
  query: 'annual leave',
  match: 'contains',
  pins: [{ documentId: KNOWN.document, position: 2 }],
  hides: [],
  collection: KNOWN.collection,
  enabled: true,
};

describe('search rules', () => {
  it('are listed, created and changed', async () => {
    const { json } = await gateway.send('GET', `/api/v1/search-rules?collection=${KNOWN.collection}&query=leave`);
    expect(json.data).toEqual([expect.objectContaining(RECORD)]);
    expect(lastRequest('listSearchRules')).toMatchObject({ collectionId: KNOWN.collection, query: 'leave' });
    const created = await gateway.send('POST', '/api/v1/search-rules', {
      json: { query: 'leave', match: 'contains', hides: [KNOWN.document], collection: KNOWN.collection },
    });
    expect(created).toMatchObject({ status: 201, json: { data: RECORD } });
    expect(lastRequest('createSearchRule')).toMatchObject({
      query: 'leave',
      match: SearchRuleMatch.CONTAINS,
      pins: [],
      hiddenDocumentIds: [KNOWN.document],
      enabled: true,
    });
    await gateway.send('PUT', `/api/v1/search-rules/${KNOWN.searchRule}`, { json: { collection: null, pins: [] } });
    expect(lastRequest('updateSearchRule')).toMatchObject({ collectionId: '', pins: { values: [] } });
    expect(lastRequest('updateSearchRule')).not.toHaveProperty('hiddenDocuments.ids');
  });

  it('are exported in the form that an import accepts', async () => {
    const { json } = await gateway.send('GET', '/api/v1/search-rules/export');
    const { id: _id, collection: _collection, ...content } = RECORD;
    expect(json.data.rules).toEqual([content]);
    const imported = await gateway.send('POST', '/api/v1/search-rules/import', {
      json: { ...json.data, collection: KNOWN.collection, replace: true },
    });
    expect(imported.json.data).toEqual({ created: 1, updated: 0, unchanged: 0, deleted: 0 });
    expect(lastRequest('importSearchRules')).toMatchObject({
      rules: [{ query: 'annual leave', match: SearchRuleMatch.CONTAINS, pins: content.pins }],
      replace: true,
    });
  });

  it('are in the audit log', async () => {
    await gateway.send('DELETE', `/api/v1/search-rules/${KNOWN.searchRule}`);
    const { json } = await gateway.send('GET', '/api/v1/audit?limit=1');
    expect(json.data).toMatchObject([
      { action: 'deleteSearchRule', resource: { type: 'search_rule', id: KNOWN.searchRule } },
    ]);
  });
});

describe('a search', () => {
  it('applies the rules of the team unless the request switches them off', async () => {
    const post = (path: string, json: object) => gateway.send('POST', path, { json });
    await post('/api/v1/search', { query: 'leave' });
    expect(lastRequest('search')).toMatchObject({ applyRules: true });
    await post('/api/v1/search', { query: 'leave', rules: false });
    expect(lastRequest('search')).toMatchObject({ applyRules: false });
    await post('/v1/docs/search', { query: 'leave', rules: false });
    expect(lastRequest('searchDocsSite')).toMatchObject({ applyRules: false });
  });
});

describe('suggestions', () => {
  it('are queries of several signed-in people for people and whole secret keys, and titles for everybody', async () => {
    const { db, keys } = gateway;
    const DAY_MS = 86_400_000;
    const row = (query: string, visitor: string, more: object = {}) => ({
      id: `srch_${query}_${visitor}`,
      teamId: keys.teamId,
      query,
      total: 3,
      narrowed: false,
      visitor,
      isMember: true,
      createdAt: new Date(),
      ...more,
    });
    const visitors = ['a', 'b', 'c'];
    await db.searchRecord.createMany({
      data: [
        ...visitors.map((visitor) => row('annual leave', visitor)),
        ...visitors.map((visitor) => row('annual nothing', visitor, { total: 0 })),
        ...visitors.slice(1).map((visitor) => row('annual secret', visitor)),
        // One person on three days has another hash on each.
        ...visitors.map((visitor, at) =>
          row('annual dismissal', visitor, { createdAt: new Date(Date.now() - at * DAY_MS) }),
        ),
        ...visitors.map((visitor) => row('annual spam', visitor, { isMember: false })),
        ...visitors.map((visitor) => row('annually', visitor)),
        ...visitors.map((visitor) => row('an annual report', visitor)),
      ],
    });
    const suggest = (init: object = {}) =>
      gateway.send('POST', '/api/v1/search/suggestions', { json: { query: 'Annual' }, ...init });
    // The list is read in the background.
    const areRead = async () => {
      await suggest();
      return Object(lastRequest('suggestQueries')).candidates.length > 0;
    };
    await waitUntil(areRead, { what: 'the popular queries', timeoutMs: 5_000 });
    expect((await suggest()).json.data).toEqual({
      query: 'Annual',
      suggestions: [
        { text: 'annual leave', kind: 'query', documentId: null },
        { text: 'Leave', kind: 'title', documentId: KNOWN.document },
      ],
    });
    const candidates = ['an annual report', 'annual leave', 'annually'];
    expect(lastRequest('suggestQueries')).toMatchObject({ query: 'Annual', limit: 5, candidates });
    const scoped = await createKeyPair(db, keys.teamId, 'scoped', { allowAllCollections: false });
    for (const init of [{ key: scoped.secretKey }, { headers: { 'X-Service-User': 'ada@example.com' } }]) {
      expect((await suggest(init)).status).toBe(200);
      expect(lastRequest('suggestQueries')).toMatchObject({ candidates: [] });
    }
  });
});
