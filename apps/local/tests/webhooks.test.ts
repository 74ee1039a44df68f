import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook, type WebhookEvent } from '@lectern/sdk';
import { waitUntil } from '@lectern/testing';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const DOCUMENTS = 150;
const DEADLINE_MS = 300_000;
/** The processes to kill, by the number of events that the endpoint has accepted. */
const KILLS = [
  { at: 10, parts: ['gateway'] },
  { at: 30, parts: ['collection'] },
  { at: 50, parts: ['gateway', 'connector'] },
  { at: 70, parts: ['nats-server'] },
  { at: 90, parts: ['PostgreSQL'] },
  { at: 110, parts: ['chat', 'agent', 'search', 'qdrant-local', 'gateway'] },
];

interface Received {
  readonly id: string;
  readonly event: WebhookEvent;
  readonly isAccepted: boolean;
}

let lectern: Lectern;
let server: ReturnType<typeof createServer>;
let webhookId: string;
let secret: string;
const received: Received[] = [];
const forged: string[] = [];

/** Fails every seventh request in one of several ways, otherwise accepts it. */
function answer(count: number, response: ServerResponse): boolean {
  if (count % 7 !== 0) {
    response.writeHead(204).end();
    return true;
  }
  if (count % 21 === 0) response.socket?.destroy();
  else response.writeHead(count % 14 === 0 ? 503 : 302, { location: '/accepted', 'retry-after': '1' }).end();
  return false;
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    try {
      const event = await verifyWebhook(body, request.headers, secret);
      const isAccepted = answer(received.length + 1, response);
      received.push({ id: String(request.headers['webhook-id']), event, isAccepted });
    } catch (error) {
      forged.push(String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lectern = await startLectern({ WEBHOOK_ALLOW_HTTP: 'true', EGRESS_ALLOW: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;
  const webhook = await lectern.api.ok('POST', '/api/v1/webhooks', {
    url: `http://127.0.0.1:${port}/hook`,
    events: ['document.indexed', 'document.deleted', 'sync.completed', 'feedback.created', 'run.completed'],
  });
  webhookId = webhook.id;
  secret = webhook.secret;
  expect(webhook.state).toBe('active');
});
afterAll(async () => {
  await lectern?.stop();
  server.closeAllConnections();
  server.close();
});

const accepted = () => received.filter(({ isAccepted }) => isAccepted);
const acceptedOf = (type: WebhookEvent['type']) => accepted().filter(({ event }) => event.type === type);
/** While a process is down, the gateway can return 503. */
const eventually = async <T>(what: string, read: () => Promise<T | undefined>): Promise<T> => {
  let found: T | undefined;
  const isFound = async () => {
    found = await read().catch(() => undefined);
    return found !== undefined;
  };
  await waitUntil(isFound, { what, timeoutMs: DEADLINE_MS, intervalMs: 100 });
  if (found === undefined) throw new Error(what);
  return found;
};

describe('webhooks, while every process is killed', () => {
  it('receive each event at least once, and only signed ones', async () => {
    const { api, home } = lectern;
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Reports' });
    const connector = await api.ok('POST', '/api/v1/connectors', {
      name: 'Reports',
      type: 'upload',
      collection: collection.id,
    });
    const files = Array.from({ length: DOCUMENTS }, (_, at) => ({ name: `report-${at}.md`, bytes: `Report ${at}.` }));
    const { jobId } = await api.upload(connector.id, files);
    for (const { at, parts } of KILLS) {
      await waitUntil(async () => accepted().length >= at, { what: `${at} events`, timeoutMs: DEADLINE_MS });
      for (const part of parts) await home.killPart(part);
      process.stdout.write(`killed ${parts.join(', ')} after ${accepted().length} events\n`);
    }
    await eventually('the end of the sync', async () => {
      const job = await api.ok('GET', `/api/v1/connectors/${connector.id}/sync/${jobId}`);
      return job.status === 'completed' ? job : undefined;
    });
    const documents = await eventually('the documents', () => api.all(`/api/v1/connectors/${connector.id}/documents`));
    expect(documents).toHaveLength(DOCUMENTS);
    const ids = documents.map(({ id }) => String(id)).toSorted();
    const indexed = () => new Set(acceptedOf('document.indexed').map(({ event }) => Object(event.data).id));
    await waitUntil(async () => ids.every((id) => indexed().has(id)) && acceptedOf('sync.completed').length > 0, {
      what: 'all events',
      timeoutMs: DEADLINE_MS,
    });
    expect(forged).toEqual([]);
    // An event that arrives twice has the same id.
    const idsByVersion = Map.groupBy(acceptedOf('document.indexed'), ({ event }) => JSON.stringify(event.data));
    for (const same of idsByVersion.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
  }, 600_000);

  it('are marked as delivered only if the endpoint has accepted them', async () => {
    const all = await eventually('the log', async () => {
      const log = await lectern.api.all(`/api/v1/webhooks/${webhookId}/deliveries`);
      return log.some(({ status }) => status === 'pending') ? undefined : log;
    });
    const ids = new Set(accepted().map(({ id }) => id));
    for (const { eventId, status } of all) {
      expect(status).toBe('delivered');
      expect(ids).toContain(eventId);
    }
  }, 300_000);

  it('receive the events of a document in order', async () => {
    const { api } = lectern;
    const collection = await api.ok('POST', '/api/v1/collections', { name: 'Notes' });
    const path = `/api/v1/collections/${collection.id}/documents`;
    const put = (content: string) => api.ok('POST', path, { externalId: 'note', title: 'Note', content });
    const { id } = await put('First.');
    await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    await put('Second.');
    await lectern.home.killPart('gateway');
    await eventually('the second version', async () => {
      const { status } = await api.ok('GET', `/api/v1/documents/${id}`);
      return status === 'indexed' ? true : undefined;
    });
    await eventually('the deletion', () => api.ok('DELETE', `/api/v1/documents/${id}`));
    const own = () => accepted().filter(({ event }) => Object(event.data).id === id);
    const isDeleted = async () => own().some(({ event }) => event.type === 'document.deleted');
    await waitUntil(isDeleted, { what: 'the deletion', timeoutMs: DEADLINE_MS });
    const firsts = own().filter(({ id: event }, at, list) => list.findIndex((other) => other.id === event) === at);
    expect(firsts.map(({ event }) => [event.type, Object(event.data).version])).toEqual([
      ['document.indexed', 1],
      ['document.indexed', 2],
      ['document.deleted', undefined],
    ]);
  }, 300_000);

  it('receive feedback and the ends of agent runs', async () => {
    const { api } = lectern;
    const reply = await eventually('a reply', () =>
      api.ok('POST', `/api/v1/teams/${api.teamId}/chat`, { message: 'What is report 7?' }),
    );
    const feedback = `/api/v1/teams/${api.teamId}/conversations/${reply.conversationId}/messages/${reply.id}/feedback`;
    await api.ok('POST', feedback, { rating: 'up' });
    const agent = await api.ok('POST', '/api/v1/agents', { name: 'Helper', systemPrompt: 'You help.' });
    await api.stream(`/api/v1/agents/${agent.id}/execute/stream`, { message: 'What is report 7?' });
    await waitUntil(async () => acceptedOf('feedback.created').length > 0 && acceptedOf('run.completed').length > 0, {
      what: 'the events',
      timeoutMs: DEADLINE_MS,
    });
    expect(acceptedOf('run.completed')[0]?.event.data).toMatchObject({ agentId: agent.id, agentName: 'Helper' });
  }, 300_000);
});
