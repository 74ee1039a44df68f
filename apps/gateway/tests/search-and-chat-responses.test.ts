import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FeedbackReason, Rating } from '@lectern/contracts';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN, WHEN_TEXT } from './support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
});

const PAGE = { page: 1, limit: 20, total: 1, hasMore: false };
const lastCall = (method: string) => gateway.services.calls.findLast((call) => call.method === method);

describe('search', () => {
  const result = {
    documentId: KNOWN.document,
    title: 'Leave',
    excerpt: 'Thirty days.',
    highlights: [{ start: 0, end: 6 }],
    url: null,
    score: 0.9,
    relevance: 0.7,
    scores: { keyword: 3.5, semantic: null, rerank: null },
    collection: KNOWN.collection,
    collectionName: 'Handbook',
    source: 'upload',
    metadata: { author: 'Ada' },
    passages: [{ text: 'Thirty days.', heading: 'Leave', start: 10, end: 22, score: 0.9 }],
    updatedAt: WHEN_TEXT,
    duplicates: [
      {
        documentId: KNOWN.document,
        title: 'Copy of Leave',
        url: null,
        collection: KNOWN.collection,
        collectionName: 'Handbook',
        source: 'upload',
        updatedAt: WHEN_TEXT,
      },
    ],
    duplicateCount: 1,
    synonyms: [{ from: 'PTO', to: 'annual leave' }],
    pinned: false,
  };

  it('passes on how to collapse, and to prefer recent documents', async () => {
    const recency = { halfLifeDays: 30, now: '2026-11-23T10:00:00+01:00' };
    await gateway.send('POST', '/api/v1/search', { json: { query: 'leave', collapse: 'duplicates', recency } });
    expect(lastCall('search')?.request).toMatchObject({
      collapse: 1,
      recency: { halfLifeDays: 30, weight: 0.3, now: new Date('2026-11-23T09:00:00Z') },
    });
    await gateway.send('POST', '/api/v1/search', { json: { query: 'leave' } });
    expect(lastCall('search')?.request).toMatchObject({ collapse: 0, recency: undefined });
    const { json } = await gateway.send('POST', '/api/v1/search', {
      json: { query: 'leave', collapse: 'all', recency: { halfLifeDays: 0, weight: 2 } },
    });
    expect(JSON.stringify(json)).toMatch(/collapse.*recency\.halfLifeDays.*recency\.weight/s);
  });

  it('passes on the order of the results', async () => {
    await gateway.send('POST', '/api/v1/search', { json: { query: 'leave', sort: 'oldest' } });
    expect(lastCall('search')?.request).toMatchObject({ sort: 2 });
    await gateway.send('POST', '/api/v1/search', { json: { query: 'leave' } });
    expect(lastCall('search')?.request).toMatchObject({ sort: 0 });
    const { json } = await gateway.send('POST', '/api/v1/search', { json: { query: 'leave', sort: 'title' } });
    expect(JSON.stringify(json)).toMatch(/sort.*relevance.*newest.*oldest/s);
  });

  it('returns results with paging', async () => {
    const json = { query: 'leave', mode: 'keyword', collections: [KNOWN.collection], page: 2, limit: 3, minScore: 0.5 };
    const response = await gateway.send('POST', '/api/v1/search', { json });
    expect(response.json.data).toEqual({
      query: 'leave',
      queryId: null,
      didYouMean: null,
      results: [result],
      tookMs: 7,
    });
    expect(response.json.meta).toMatchObject(PAGE);
    expect(lastCall('search')?.request).toMatchObject({
      query: 'leave',
      mode: 2,
      collectionIds: [KNOWN.collection],
      page: { page: 2, limit: 3 },
      minScore: 0.5,
      maxPassagesPerDocument: 3,
    });
  });

  it('returns the same results for a documentation site', async () => {
    const { json } = await gateway.send('POST', '/v1/docs/search', { json: { query: 'leave' } });
    expect(json.data).toEqual({
      query: 'leave',
      queryId: expect.stringMatching(/^srch_/),
      didYouMean: null,
      results: [result],
      tookMs: 7,
    });
    expect(json.meta).not.toHaveProperty('page');
  });
});

describe('chat', () => {
  const reply = {
    content: 'Thirty days [1].',
    sources: [{ id: KNOWN.document, title: 'Leave', excerpt: 'Thirty days.', url: 'https://example.com/leave' }],
    answer_confidence: {
      score: 0.91,
      label: 'high',
      signals: { coverageRatio: 0.9, shapeConfidence: 0.8, coverageCompleteness: 1, violationFree: 1 },
    },
    usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  };

  const FEEDBACK = {
    rating: 'down',
    reason: 'outdated',
    comment: 'It changed in May.',
    updatedAt: WHEN_TEXT,
  };

  it('suggests questions', async () => {
    const { json } = await gateway.send('GET', `/api/v1/teams/${gateway.keys.teamId}/suggestions`);
    const questions = ['How many days of leave do I have?'];
    expect(json.data).toEqual({ questions, searchable: true, pendingDocuments: 2 });
  });

  it('passes on the searched title of conversations, and whether they are shared', async () => {
    const path = `/api/v1/teams/${gateway.keys.teamId}/conversations`;
    const request = { page: { page: 1, limit: 5 }, query: 'leave', shared: false };
    await gateway.send('GET', `${path}?query=leave&limit=5`);
    expect(lastCall('listConversations')?.request).toEqual(request);
    await gateway.send('GET', `${path}?query=leave&limit=5&shared=true`);
    expect(lastCall('listConversations')?.request).toEqual({ ...request, shared: true });
    expectError(await gateway.send('GET', `${path}?shared=yes`), 400, 'invalid_request', 'shared');
    expectError(await gateway.send('GET', `${path}?query=${'x'.repeat(201)}`), 400, 'invalid_request', 'query');
  });

  it('renames and shares a conversation', async () => {
    const path = `/api/v1/teams/${gateway.keys.teamId}/conversations/${KNOWN.conversation}`;
    const json = { title: 'Leave in 2027', shared: true };
    expect((await gateway.send('PUT', path, { json })).json.data).toMatchObject({ id: KNOWN.conversation });
    expect(lastCall('updateConversation')?.request).toEqual({ id: KNOWN.conversation, ...json });
    const audit = await gateway.send('GET', '/api/v1/audit?action=updateConversation');
    expect(audit.json.data[0]).toMatchObject({
      resource: { type: 'conversation', id: KNOWN.conversation },
      details: { shared: true },
    });
    for (const [field, value] of Object.entries({ title: ' ', shared: 'yes', user: 'ada@example.com' }))
      expectError(await gateway.send('PUT', path, { json: { [field]: value } }), 400, 'invalid_request', field);
  });

  it('stores feedback on a reply and removes it', async () => {
    const path = `/api/v1/teams/${gateway.keys.teamId}/conversations/${KNOWN.conversation}/messages/${KNOWN.message}/feedback`;
    const place = { conversationId: KNOWN.conversation, messageId: KNOWN.message };
    const { rating, reason, comment } = FEEDBACK;
    const given = await gateway.send('POST', path, { json: { rating, reason, comment } });
    expect(given.json.data).toEqual(FEEDBACK);
    const stored = { ...place, rating: Rating.DOWN, reason: FeedbackReason.OUTDATED, comment };
    expect(lastCall('setFeedback')?.request).toEqual(stored);
    await gateway.send('POST', path, { json: { rating: 'up' } });
    const praised = { ...place, rating: Rating.UP, reason: undefined, comment: undefined };
    expect(lastCall('setFeedback')?.request).toEqual(praised);
    expect((await gateway.send('DELETE', path)).json.data).toEqual({ id: KNOWN.message, deleted: true });
    expect(lastCall('deleteFeedback')?.request).toEqual(place);
  });

  it.each([
    [{}, 'rating'],
    [{ rating: 'sideways' }, 'rating'],
    [{ rating: 'up', reason: 'wrong' }, 'reason'],
    [{ rating: 'down', reason: 'ugly' }, 'reason'],
    [{ rating: 'down', comment: 'x'.repeat(2_001) }, 'comment'],
    [{ rating: 'down', stars: 5 }, 'stars'],
  ])('rejects the feedback %j', async (json, field) => {
    const path = `/api/v1/teams/${gateway.keys.teamId}/conversations/${KNOWN.conversation}/messages/${KNOWN.message}/feedback`;
    expectError(await gateway.send('POST', path, { json }), 400, 'invalid_request', field);
  });

  it('returns the complete reply', async () => {
    const json = {
      message: 'How many?',
      conversationId: KNOWN.conversation,
      collections: [KNOWN.collection],
      maxTokens: 9,
    };
    const response = await gateway.send('POST', `/api/v1/teams/${gateway.keys.teamId}/chat`, { json });
    expect(response.json.data).toEqual({
      id: KNOWN.message,
      conversationId: KNOWN.conversation,
      model: 'builtin-extractive',
      ...reply,
    });
    const { collections, ...rest } = json;
    expect(lastCall('chat')?.request).toMatchObject({ ...rest, collectionIds: collections });
  });

  it('lists the models that a chat request can name', async () => {
    const { status, json } = await gateway.send('GET', '/api/v1/models');
    expect(status).toBe(200);
    expect(json.data).toEqual([
      {
        id: 'builtin-extractive',
        provider: 'builtin',
        contextWindow: 128_000,
        recommendedMaxTokens: 100_000,
        defaultMaxOutput: 1_024,
        maxOutput: 4_096,
        supportsTools: false,
        default: true,
        endpoint: null,
      },
    ]);
  });

  it('lists conversations without messages, and returns one with its messages', async () => {
    const path = `/api/v1/teams/${gateway.keys.teamId}/conversations`;
    const item = {
      id: KNOWN.conversation,
      title: 'Leave',
      agentId: null,
      messageCount: 2,
      createdAt: WHEN_TEXT,
      updatedAt: WHEN_TEXT,
      user: null,
      shared: false,
      readOnly: false,
    };
    expect((await gateway.send('GET', path)).json.data).toEqual([item]);
    const messages = [
      { id: 'msg_1', role: 'user', content: 'How many days?', createdAt: WHEN_TEXT },
      {
        id: KNOWN.message,
        role: 'assistant',
        status: 'complete',
        ...reply,
        withheld: false,
        feedback: FEEDBACK,
        createdAt: WHEN_TEXT,
      },
    ];
    expect((await gateway.send('GET', `${path}/${KNOWN.conversation}`)).json.data).toEqual({ ...item, messages });
  });
});

describe('agents', () => {
  const item = {
    id: KNOWN.agent,
    name: 'Helper',
    description: 'Helps',
    tools: ['search_documents'],
    collections: [KNOWN.collection],
    startMessage: 'Hello',
    memory: 'recall',
    createdAt: WHEN_TEXT,
    updatedAt: WHEN_TEXT,
  };

  it('include their instructions when read or updated, but not when listed or created', async () => {
    const path = `/api/v1/agents/${KNOWN.agent}`;
    expect((await gateway.send('GET', '/api/v1/agents')).json.data).toEqual([item]);
    const created = await gateway.send('POST', '/api/v1/agents', {
      json: { name: 'Helper', systemPrompt: 'You help.' },
    });
    expect(created.json.data).toEqual(item);
    expect((await gateway.send('GET', path)).json.data).toEqual({ ...item, systemPrompt: 'You help.' });
    const changed = await gateway.send('PUT', path, { json: { tools: [] } });
    expect(changed.json.data).toEqual({ ...item, systemPrompt: 'You help.' });
    expect(lastCall('updateAgent')?.request).toMatchObject({ tools: { values: [] }, collectionIds: undefined });
  });
});
