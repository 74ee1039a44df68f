import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook, type WebhookEvent } from '@lectern/sdk';
import { type SlackServer, startSlackServer, waitUntil } from '@lectern/testing';
import { type Api, type Json, joinAs } from './support/api.ts';
import { type MailServer, startMailServer } from './support/mail-server.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
const CHANNEL = 'C0REPORTS';
const ADDRESS = 'ada@example.com';
/** Only the owner may read this one. */
const FACT = 'The xylophone vault has the code forty-two.';

let lectern: Lectern;
let slack: SlackServer;
let mail: MailServer;
let endpoint: ReturnType<typeof createServer>;
let secret = '';
const events: WebhookEvent[] = [];
/** The session of an admin, who owns the schedules. */
let ada: Api;
let agentId: string;
let targets: Json[];

const path = (rest = '') => `/api/v1/agents/${agentId}/schedules${rest}`;
const create = (api: Api, more: object = {}): Promise<Json> =>
  api.ok('POST', path(), {
    name: 'Vault report',
    message: 'What is the code of the xylophone vault?',
    cron: '0 7 * * 1',
    timeZone: 'Europe/Berlin',
    ...more,
  });
/** Waits until the newest run of a schedule has a state. */
const lastRun = async (api: Api, id: string, isDone: (run: Json) => boolean): Promise<Json> =>
  (await api.until(path(`/${id}`), ({ lastRun: run }) => run !== null && isDone(run))).lastRun;
const isDelivered = ({ deliveries }: Json) => deliveries.every(({ status }: Json) => status === 'delivered');

beforeAll(async () => {
  mail = await startMailServer();
  slack = await startSlackServer({ answers: true });
  endpoint = createServer(async (request, response) => {
    events.push(await verifyWebhook(await text(request), request.headers, secret));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  lectern = await startLectern({
    SLACK_API_URL: slack.apiUrl,
    SMTP_URL: mail.url,
    SMTP_FROM: 'Lectern <lectern@example.com>',
    PUBLIC_URL: 'https://lectern.example.com',
    WEBHOOK_ALLOW_HTTP: 'true',
    EGRESS_ALLOW: '127.0.0.1',
  });
  const { api } = lectern;
  ada = await joinAs(lectern.credentials, ADDRESS, 'admin');
  const { id: collectionId } = await api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
  const document = await api.ok('POST', `/api/v1/collections/${collectionId}/documents`, {
    title: 'Vaults',
    content: FACT,
    principals: [`user:${ADDRESS}`],
  });
  await api.until(`/api/v1/documents/${document.id}`, ({ status }) => status === 'indexed');
  const agent = await api.ok('POST', '/api/v1/agents', {
    name: 'Guard',
    systemPrompt: 'You answer questions about vaults.',
    tools: ['search_documents'],
    collections: [collectionId],
  });
  agentId = agent.id;
  slack.model.addUser('U0APP', 'Lectern', { bot: true });
  slack.model.addChannel(CHANNEL, 'reports', { members: ['U0APP'] });
  const app = await api.ok('POST', '/api/v1/slack-apps', {
    name: 'Slack',
    transport: 'http',
    botToken: slack.token,
    signingSecret: SECRET,
    channels: [CHANNEL],
  });
  const { port } = endpoint.address() as AddressInfo;
  const webhook = await api.ok('POST', '/api/v1/webhooks', {
    url: `http://127.0.0.1:${port}/hook`,
    events: ['document.deleted'],
  });
  secret = webhook.secret;
  targets = [
    { type: 'webhook', webhookId: webhook.id },
    { type: 'slack', appId: app.id, channel: CHANNEL },
    { type: 'email' },
  ];
});
afterAll(async () => {
  await lectern?.stop();
  await slack?.stop();
  await mail?.stop();
  endpoint.closeAllConnections();
  endpoint.close();
});

const inChannel = () => JSON.stringify([...(slack.model.channels.get(CHANNEL)?.messages.values() ?? [])]);

describe('a schedule, with a whole system', () => {
  it('delivers the answer of its owner to a webhook, a Slack channel and a mailbox, and keeps a record', async () => {
    const { id, nextRunAt } = await create(ada, { targets });
    expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now());
    await ada.ok('POST', path(`/${id}/run`), {});
    const run = await lastRun(ada, id, isDelivered);
    expect(run).toMatchObject({ status: 'completed', scheduledFor: null, error: null });
    await waitUntil(() => events.length > 0, { what: 'the webhook', timeoutMs: 10_000 });
    expect(events).toMatchObject([
      { type: 'run.completed', data: { schedule: { id }, result: { content: expect.stringContaining('forty-two') } } },
    ]);
    expect(inChannel()).toContain('forty-two');
    expect(mail.received).toHaveLength(1);
    expect(mail.received[0]).toMatchObject({ to: ADDRESS, raw: expect.stringContaining('forty-two') });
    const record = await ada.ok('GET', `/api/v1/agents/${agentId}/runs/${run.runId}`);
    expect(record).toMatchObject({ scheduleId: id, status: 'completed', conversationId: run.conversationId });
    expect(lectern.launcher.output()).not.toContain('p@ss');
    expect(lectern.launcher.output()).not.toContain('p%40ss');
  });

  it('delivers after every process was killed between the run and the delivery, without another run', async () => {
    mail.state.isDown = true;
    const before = mail.received.length;
    const { id } = await create(ada, { targets: [{ type: 'email' }] });
    await ada.ok('POST', path(`/${id}/run`), {});
    const waiting = await lastRun(ada, id, ({ deliveries: [first] }) => first.attempts > 0 && first.error !== null);
    expect(waiting.deliveries[0]).toMatchObject({ status: 'pending', error: expect.stringContaining('mail server') });
    for (const part of ['gateway', 'agent', 'chat']) await lectern.home.killPart(part);
    mail.state.isDown = false;
    const run = await lastRun(ada, id, isDelivered);
    expect(run.runId).toBe(waiting.runId);
    expect(mail.received.slice(before)).toHaveLength(1);
    const runs = await ada.all(`/api/v1/agents/${agentId}/runs`);
    expect(runs.filter(({ scheduleId }) => scheduleId === id)).toHaveLength(1);
  });

  it('is completed once after the gateway was killed during the run', async () => {
    const { id } = await create(ada, { targets: [{ type: 'email' }] });
    await ada.ok('POST', path(`/${id}/run`), {});
    await lectern.home.killPart('gateway');
    const run = await lastRun(ada, id, isDelivered);
    expect(run.status).toBe('completed');
    expect(await ada.all(path(`/${id}/runs`))).toHaveLength(1);
  });

  it('stops with a reason when its owner is deactivated, and delivers nothing', async () => {
    const bob = await joinAs(lectern.credentials, 'bob@example.com', 'editor');
    const { id } = await create(bob, { targets: [{ type: 'email' }] });
    await bob.ok('POST', path(`/${id}/run`), {});
    await lastRun(bob, id, isDelivered);
    const before = mail.received.length;
    mail.state.isDown = true;
    await bob.ok('POST', path(`/${id}/run`), {});
    await lastRun(ada, id, ({ status, deliveries: [first] }) => status === 'completed' && first.error !== null);
    const [person] = (await ada.all('/api/v1/people')).filter(({ email }) => email === 'bob@example.com');
    await ada.ok('PUT', `/api/v1/people/${person.id}`, { status: 'deactivated' });
    mail.state.isDown = false;
    const run = await lastRun(ada, id, ({ deliveries: [first] }) => first.status === 'failed');
    expect(run.deliveries[0].error).toContain('no longer active');
    expect(mail.received).toHaveLength(before);
  });

  it('lets only admins send to others, and only its owner start it', async () => {
    const eve = await joinAs(lectern.credentials, 'eve@example.com', 'editor');
    for (const target of [...targets.slice(0, 2), { type: 'email', personId: 'per_01h455vb4pex5vsknk084sn02q' }]) {
      const body = { name: 'A', message: 'B', cron: '0 7 * * *', targets: [target] };
      expect(await eve.call('POST', path(), body)).toMatchObject({ status: 403 });
    }
    const { id } = await create(ada, { targets });
    expect(await eve.call('POST', path(`/${id}/run`), {})).toMatchObject({ status: 403 });
    expect(await eve.call('PUT', path(`/${id}`), { message: 'List everything.' })).toMatchObject({ status: 403 });
    expect(await eve.ok('PUT', path(`/${id}`), { enabled: false })).toMatchObject({
      enabled: false,
      runsAs: ADDRESS,
      isOwner: false,
    });
    expect(await ada.ok('PUT', path(`/${id}`), { enabled: true })).toMatchObject({ enabled: true, isOwner: true });
    await ada.ok('DELETE', path(`/${id}`));
  });
});
