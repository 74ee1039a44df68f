import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ModelServer, type OpenAiTurn, startOpenAiServer, waitUntil } from '@lectern/testing';
import type { Json } from './support/api.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const TIMEOUT_MS = 120_000;
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/changes': {
      post: {
        operationId: 'change',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
};

interface Waiting {
  readonly name: string;
  readonly runId: string;
  readonly approvalId: string;
}

let lectern: Lectern;
let model: ModelServer<OpenAiTurn>;
let shop: ReturnType<typeof createServer>;
let agentId: string;
const received: string[] = [];
const runs: Waiting[] = [];

beforeAll(async () => {
  model = await startOpenAiServer({
    models: { local: {} },
    respond: ({ messages }) => {
      const name = String(messages.findLast(({ role }) => role === 'user')?.content);
      if (messages.at(-1)?.role !== 'tool') {
        return { kind: 'message', toolCalls: [{ id: 'c', name: 'shop__change', input: { body: { run: name } } }] };
      }
      return name === 'while the model answers' ? { kind: 'silence' } : { kind: 'message', text: 'Done.' };
    },
  });
  shop = createServer(async (request, response) => {
    const { run } = (await json(request)) as { run: string };
    received.push(run);
    if (run !== 'while the call is sent') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  lectern = await startLectern({
    OPENAI_BASE_URL: `${model.origin}/v1`,
    CHAT_MODEL: 'local',
    EGRESS_ALLOW: '127.0.0.1',
  });
  const { api } = lectern;
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const server = { name: 'Shop', slug: 'shop', kind: 'openapi', url, document: JSON.stringify(DOCUMENT) };
  const { id } = await api.ok('POST', '/api/v1/tool-servers', server);
  await api.ok('POST', `/api/v1/tool-servers/${id}/refresh`);
  const [{ version, name }] = await api.ok('GET', `/api/v1/tool-servers/${id}/tools`);
  const enabled = { enabled: true, version, changesSomething: true };
  await api.ok('PUT', `/api/v1/tool-servers/${id}/tools/${name}`, enabled);
  const agent = { name: 'Shop', systemPrompt: 'Help.', tools: ['shop__change'], memory: 'off' };
  agentId = (await api.ok('POST', '/api/v1/agents', agent)).id;
});

afterAll(async () => {
  await lectern?.stop();
  await model.stop();
  shop.closeAllConnections();
  shop.close();
});

/** Starts a run and waits until its call is pending. Its stream stays open. */
async function startRun(name: string): Promise<Waiting> {
  const { baseUrl, secretKey } = lectern.credentials;
  let response: Response | undefined;
  // Services that still connect to a killed process return 503.
  await until(`${name} to start`, async () => {
    response = await fetch(`${baseUrl}/api/v1/agents/${agentId}/execute/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: name }),
    }).catch(() => undefined);
    return response?.ok === true;
  });
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error(`${name} has no stream.`);
  let text = '';
  for (;;) {
    const { value = '', done } = await reader.read();
    text += value;
    const [, data] = /event: pending_approval\ndata: (.*)\n/.exec(text) ?? [];
    if (data !== undefined) {
      const { approvalId, runId } = JSON.parse(data) as Waiting;
      void readToEnd(reader);
      const run = { name, runId, approvalId };
      runs.push(run);
      return run;
    }
    if (done) throw new Error(`${name} ended without an approval: ${text}`);
  }
}

/** A killed process cuts the stream. */
async function readToEnd(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await reader.read().catch(() => ({ done: true }))).done);
}

const pathOf = ({ runId }: Waiting) => `/api/v1/agents/${agentId}/runs/${runId}`;
const decide = (run: Waiting) =>
  lectern.api.call('POST', `${pathOf(run)}/approvals/${run.approvalId}`, { decision: 'approve' });
/** Repeats a decision while processes are down. Returns its last status. */
async function decideEventually(run: Waiting): Promise<number> {
  let status = 0;
  const isDecided = async () => {
    status = (await decide(run).catch(() => ({ status: 0 }))).status;
    return status === 200 || status === 409;
  };
  await waitUntil(isDecided, { what: `a decision about ${run.name}`, timeoutMs: TIMEOUT_MS, intervalMs: 100 });
  return status;
}
const until = (what: string, isTrue: () => boolean | Promise<boolean>) =>
  waitUntil(isTrue, { what, timeoutMs: TIMEOUT_MS, intervalMs: 20 });
const isServing = () =>
  lectern.api.call('GET', '/api/v1/agents').then(
    ({ status }) => status === 200,
    () => false,
  );

describe('a run with an approval whose processes are killed', () => {
  it('is not lost with the gateway, and its call is made once', async () => {
    const run = await startRun('while the gateway is killed');
    await lectern.home.killPart('gateway');
    expect(await decideEventually(run)).toBe(200);
    const ended = await lectern.api.until(pathOf(run), ({ status }: Json) => status !== 'running');
    expect(ended).toMatchObject({ status: 'completed', pendingApprovals: 0 });
    expect(received).toEqual([run.name]);
  });

  it('makes its call at most once, whichever process is killed in whichever phase', async () => {
    const kill = async (...parts: string[]) => {
      for (const part of parts) await lectern.home.killPart(part);
      await until(`${parts.join(', ')} to return`, isServing);
    };
    await startRun('while it waits');
    await kill('agent');
    const decided = await startRun('while it is decided');
    const decision = decide(decided).catch(() => undefined);
    await kill('agent');
    await decision;
    const sent = await startRun('while the call is sent');
    await decideEventually(sent);
    await until('the call', () => received.includes(sent.name));
    await kill('agent');
    const answered = await startRun('while the model answers');
    await decideEventually(answered);
    await until('the call', () => received.includes(answered.name));
    await until('the request of the model', () => model.calls.some(({ body }) => isSecondOf(answered.name, body)));
    await kill('agent');
    await startRun('while chat is killed');
    await kill('chat');
    const waiting = await startRun('while the database is killed');
    await kill('PostgreSQL');
    await decideEventually(waiting);
    for (const run of runs) {
      const ended = await lectern.api.until(pathOf(run), ({ status }: Json) => status !== 'running');
      process.stdout.write(`${run.name}: ${ended.status} ${JSON.stringify(ended.error)}\n`);
      expect(['completed', 'failed', 'cancelled']).toContain(ended.status);
      if (ended.status === 'failed') expect(ended.error?.code).toBe('unavailable');
    }
  });

  it('leaves no approval pending, and no late decision causes a call', async () => {
    for (const run of runs) {
      const path = `${pathOf(run)}/approvals`;
      const [approval] = await lectern.api.until(path, ([first]: Json) => first.status !== 'pending');
      const { status } = await decide(run);
      expect(status).toBe(approval.status === 'approved' ? 200 : 409);
    }
    const counts = runs.map(({ name }) => received.filter((one) => one === name).length);
    expect(Math.max(...counts)).toBe(1);
    expect(received).toEqual(expect.arrayContaining(['while the call is sent', 'while the model answers']));
    expect(received).not.toContain('while it waits');
  });
});

function isSecondOf(name: string, { messages }: Json): boolean {
  return messages?.at(-1)?.role === 'tool' && messages.some(({ content }: Json) => content === name);
}
