import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Engine, startPostgres } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import pg from 'pg';
import type { Json } from './support/api.ts';
import type { SseEvent } from './support/parse-events.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const HANDBOOK = {
  'Parental leave':
    'New parents take up to 18 weeks of paid parental leave. They inform their manager eight weeks ahead.',
  Laptops: 'Every laptop is encrypted. A lost laptop is reported to the security team within one hour.',
  Expenses: 'Meals while traveling are reimbursed up to 45 euros a day. Receipts are handed in within 30 days.',
};

let lectern: Lectern;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let shop: Engine;
let collection: string;
let agent: Json;

beforeAll(async () => {
  folder = await temporaryFolder();
  [lectern, shop] = await Promise.all([
    // The sample database is on this machine, which connectors can access only with EGRESS_ALLOW.
    startLectern({ EGRESS_ALLOW: '127.0.0.1,localhost' }),
    startPostgres({ dataDir: join(folder.path, 'shop'), durable: false }),
  ]);
  await fillShop(shop.url);
  const { api } = lectern;
  collection = (await api.ok('POST', '/api/v1/collections', { name: 'Company' })).id;
  for (const [title, content] of Object.entries(HANDBOOK)) {
    const { id } = await api.ok('POST', `/api/v1/collections/${collection}/documents`, { title, content });
    await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
  }
  const address = new URL(shop.url);
  await api.ok('POST', '/api/v1/connectors', {
    name: 'Shop',
    type: 'postgresql',
    collection,
    config: {
      host: address.hostname,
      port: Number(address.port),
      database: address.pathname.slice(1),
      sslMode: 'disable',
    },
    credentials: { user: 'analyst', password: 'analyst' },
  });
  const variables = { company: 'Acme' };
  const body = { name: 'Ask Acme', collections: [collection], variables };
  agent = await api.ok('POST', '/api/v1/agents/from-template/tpl_company-assistant', body);
});
afterAll(async () => {
  await lectern?.stop();
  await shop?.stop();
  await folder.remove();
});

async function fillShop(url: string): Promise<void> {
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query(`
    CREATE TABLE orders (id serial PRIMARY KEY, status text, amount numeric(10,2));
    INSERT INTO orders (status, amount) SELECT CASE WHEN n % 4 = 0 THEN 'open' ELSE 'paid' END, n FROM generate_series(1, 48) n;
    CREATE ROLE analyst LOGIN PASSWORD 'analyst'; GRANT SELECT ON orders TO analyst`);
  await owner.end();
}

const path = () => `/api/v1/agents/${agent.id}/execute/stream`;
const execute = (message: string, more: object = {}) => lectern.api.stream(path(), { message, ...more });
const eventsNamed = (events: readonly SseEvent[], name: string) => events.filter(({ event }) => event === name);
const toolsOf = (events: readonly SseEvent[]) => eventsNamed(events, 'tool_call').map(({ data }) => data.tool);
const textOf = (events: readonly SseEvent[]) =>
  eventsNamed(events, 'content')
    .map(({ data }) => data.content)
    .join('');

/** Checks the order of events: run_start, iterations with tool calls and results, content, end. */
function expectRun(events: readonly SseEvent[]): void {
  const names = events.map(({ event }) => event).join(' ');
  expect(names).toMatch(/^run_start( iteration( tool_call)*( tool_result)*)+( content)+ run_complete$/);
  expect(eventsNamed(events, 'tool_result').every(({ data }) => data.success)).toBe(true);
  const { usage, status } = events.at(-1)?.data ?? {};
  expect(status).toBe('completed');
  expect(usage.totalTokens).toBe(usage.promptTokens + usage.completionTokens);
}

describe('an agent without an API key for any model', () => {
  it.each<[string, string[], RegExp]>([
    ['How many weeks of parental leave do new parents get?', ['search_documents'], /18 weeks/],
    ['What is 17% of 2,340?', ['calculate'], /397\.8/],
    ['What time is it in Tokyo?', ['get_datetime'], /Asia\/Tokyo \(UTC\+09:00\)/],
    ['How many rows are in the orders table of the database?', ['search_database_schema', 'query_database'], /48/],
    [
      'What is the total amount of orders with status open in the database?',
      ['search_database_schema', 'query_database'],
      /312/,
    ],
  ])('answers: %s', async (message, tools, answer) => {
    const events = await execute(message);
    expectRun(events);
    expect(toolsOf(events)).toEqual(expect.arrayContaining(tools));
    expect(textOf(events)).toMatch(answer);
  });

  it('cites the documents it quotes', async () => {
    const events = await execute('When is a lost laptop reported?');
    const { sources } = events.at(-1)?.data ?? {};
    expect(sources).toMatchObject([{ title: 'Laptops', excerpt: expect.stringContaining('within one hour') }]);
    expect(textOf(events)).toContain('[1]');
  });

  it('stores its runs with their steps, and continues a conversation', async () => {
    const [start] = await execute('What is 6 * 7?');
    const { runId, conversationId } = start?.data ?? {};
    const run = await lectern.api.ok('GET', `/api/v1/agents/${agent.id}/runs/${runId}`);
    expect(run).toMatchObject({ id: runId, conversationId, status: 'completed', message: 'What is 6 * 7?' });
    expect(run.steps[0].toolCalls).toMatchObject([{ tool: 'calculate', success: true, result: { result: '42' } }]);
    expect((await lectern.api.ok('GET', `/api/v1/agents/${agent.id}/runs`))[0]).toMatchObject({ id: runId });
    const [next] = await execute('And what is 7 * 7?', { conversationId });
    expect(next?.data.conversationId).toBe(conversationId);
    const conversation = await lectern.api.ok(
      'GET',
      `/api/v1/teams/${lectern.api.teamId}/conversations/${conversationId}`,
    );
    expect(conversation).toMatchObject({ agentId: agent.id, messageCount: 4 });
  });

  it('streams its tool calls to a chat, and returns a plain reply', async () => {
    const body = { message: 'What is 12 * 12?', agentId: agent.id };
    const events = await lectern.api.stream(`/api/v1/teams/${lectern.api.teamId}/chat/stream`, body);
    const names = events.map(({ event }) => event).join(' ');
    expect(names).toMatch(
      /^message_start agent_start tool_call tool_result agent_start( content_delta)+ sources message_end$/,
    );
    const reply = await lectern.api.ok('POST', `/api/v1/teams/${lectern.api.teamId}/chat`, body);
    expect(reply.content).toContain('144');
  });
});
