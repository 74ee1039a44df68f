import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askEvent, clickBody, eventBody } from '@lectern/testing';
import { signInAs } from './support/people.ts';
import { KNOWN } from './support/records.ts';
import {
  OTHER_CHANNEL,
  PUBLIC_CHANNEL,
  SIGNING_SECRET,
  startTestSlack,
  type TestSlack,
  visibleText,
  waitFor,
} from './support/slack.ts';

let test: TestSlack;
let path: string;

beforeAll(async () => {
  test = await startTestSlack();
  path = `/api/v1/slack-apps/${test.appId}`;
});
afterAll(() => test.stop());

const send: TestSlack['gateway']['send'] = (...request) => test.gateway.send(...request);
const issuesOf = (response: { readonly json: { error: { details: { issues: { path: string }[] } } } }) =>
  response.json.error.details.issues.map(({ path: field }) => field);

describe('a Slack app', () => {
  it('never shows its secrets, and stores them encrypted', async () => {
    const responses = [
      await send('get', path),
      await send('get', '/api/v1/slack-apps'),
      await send('put', path, { json: { name: 'Slack' } }),
      await send('get', '/api/v1/audit'),
    ];
    for (const { text, status } of responses) {
      expect(status).toBe(200);
      for (const secret of [test.slack.token, SIGNING_SECRET]) expect(text).not.toContain(secret);
    }
    const rows = await test.gateway.db.$queryRaw<
      { row: string }[]
    >`SELECT encode(sealed, 'escape') AS row FROM slack_apps`;
    expect(rows[0]?.row).not.toContain('xoxb');
  });

  it('rejects tokens that Slack rejects, and names the field', async () => {
    const body = { name: 'x', transport: 'http', botToken: 'xoxb-wrong', signingSecret: SIGNING_SECRET };
    const rejected = await send('post', '/api/v1/slack-apps', { json: body });
    expect(rejected.status).toBe(400);
    expect(issuesOf(rejected)).toEqual(['botToken']);
    expect(rejected.text).not.toContain('xoxb-wrong');
    const socket = { ...body, transport: 'socket', botToken: test.slack.token, appToken: 'xapp-wrong' };
    expect(issuesOf(await send('post', '/api/v1/slack-apps', { json: socket }))).toEqual(['appToken']);
    const { signingSecret: _secret, ...without } = body;
    expect(issuesOf(await send('post', '/api/v1/slack-apps', { json: without }))).toEqual(['signingSecret']);
  });

  it('rejects an app that lacks scopes, and one that was already added', async () => {
    const body = { name: 'x', transport: 'http', botToken: test.slack.token, signingSecret: SIGNING_SECRET };
    test.slack.scopes.delete('users:read.email');
    const lacking = await send('post', '/api/v1/slack-apps', { json: body });
    test.slack.scopes.add('users:read.email');
    expect(lacking.text).toContain('users:read.email');
    expect((await send('post', '/api/v1/slack-apps', { json: body })).status).toBe(409);
    expect(
      (await send('post', '/api/v1/slack-apps', { json: body, key: test.gateway.otherKeys.secretKey })).status,
    ).toBe(409);
  });

  it('answers from collections and agents that exist', async () => {
    const unknown = { collections: [KNOWN.collection.replace(/.$/, (end) => (end === '0' ? '1' : '0'))] };
    expect(issuesOf(await send('put', path, { json: unknown }))).toEqual(['collections.0']);
    await send('put', path, { json: { collections: [KNOWN.collection], agentId: KNOWN.agent } });
    const direct = test.slack.direct('U0GRACE');
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await test.replied(direct);
    const call = test.gateway.services.calls.find(({ method }) => method === 'streamChat');
    expect(call?.request).toMatchObject({ collectionIds: [KNOWN.collection], agentId: KNOWN.agent });
    await send('put', path, { json: { collections: [], agentId: null } });
  });

  it('is managed by admins only', async () => {
    for (const role of ['member', 'editor'] as const) {
      const { headers } = await signInAs(test.gateway.db, test.gateway.keys.teamId, role);
      expect((await send('get', '/api/v1/slack-apps', { headers, key: null })).status).toBe(403);
    }
    const { headers } = await signInAs(test.gateway.db, test.gateway.keys.teamId, 'admin');
    expect((await send('get', path, { headers, key: null })).status).toBe(200);
  });

  it('has a manifest with the addresses of this installation', async () => {
    const http = (await send('get', '/api/v1/slack-manifest')).json.data.manifest;
    expect(http.settings.event_subscriptions.request_url).toBe('http://lectern.example.com/slack/events');
    const socket = (await send('get', '/api/v1/slack-manifest?transport=socket')).json.data.manifest;
    expect(socket.settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(socket)).not.toContain('request_url');
  });

  it('posts messages to allowed internal channels only', async () => {
    const post = (channel: string, text = '**Report** <!channel>') =>
      send('post', `${path}/messages`, { json: { channel, text } });
    const posted = await post(PUBLIC_CHANNEL);
    expect(posted.status).toBe(201);
    const message = test.own(PUBLIC_CHANNEL).find(({ ts }) => ts === posted.json.data.ts);
    expect(message?.mentions).toEqual([]);
    expect(visibleText(message!)).toContain('*Report* &lt;!channel&gt;');
    expect((await post(OTHER_CHANNEL)).status).toBe(400);
    Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL)!, { isExtShared: true });
    expect((await post(PUBLIC_CHANNEL)).status).toBe(403);
    Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL)!, { isExtShared: false, joined: false });
    expect((await post(PUBLIC_CHANNEL)).status).toBe(502);
    Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL)!, { joined: true });
    const events = (await send('get', '/api/v1/audit')).json.data;
    expect(events.map(({ action }: { action: string }) => action)).toContain('postSlackMessage');
  });

  it('stops when it is disabled', async () => {
    await send('put', path, { json: { isEnabled: false } });
    const event = askEvent(test.slack.model, { channel: test.slack.direct('U0GRACE'), user: 'U0GRACE', text: 'x?' });
    expect((await test.deliver(event)).status).toBe(401);
    await send('put', path, { json: { isEnabled: true } });
    expect((await test.deliver(event)).status).toBe(200);
    await test.settled();
  });

  it('fails with a reason when it is uninstalled, and works again with a new token', async () => {
    await test.deliver(eventBody(test.slack.model, { type: 'app_uninstalled' }));
    const failed = (await send('get', path)).json.data;
    expect(failed).toMatchObject({ status: 'failed', statusReason: expect.stringContaining('uninstalled') });
    const events = (await send('get', '/api/v1/audit')).json.data;
    expect(events.map(({ action }: { action: string }) => action)).toContain('slackAppFailed');
    const renewed = await send('put', path, { json: { botToken: test.slack.token } });
    expect(renewed.json.data).toMatchObject({ status: 'active', statusReason: null });
  });

  it('fails with a reason when Slack rejects its token', async () => {
    test.slack.revoke();
    await test.ask(test.slack.direct('U0GRACE'), 'U0GRACE', 'How many days?');
    await waitFor(async () => (await send('get', path)).json.data.status === 'failed');
    const { statusReason } = (await send('get', path)).json.data;
    expect(statusReason).toContain('revoked');
    const tested = await send('post', `${path}/test`);
    expect(tested.json.data).toMatchObject({ success: false });
  });
});

describe('Socket Mode', () => {
  let socket: TestSlack;

  beforeAll(async () => {
    socket = await startTestSlack({ transport: 'socket', appToken: 'xapp-1-emulator-token', signingSecret: undefined });
    await waitFor(() => socket.slack.sockets.connections() === 1);
  });
  afterAll(() => socket.stop());

  const askOver = async (text: string) => {
    const channel = socket.slack.direct('U0GRACE');
    const event = askEvent(socket.slack.model, { channel, user: 'U0GRACE', text });
    await socket.slack.sockets.send('events_api', event);
    return channel;
  };

  it('answers, and acknowledges an event when it is stored', async () => {
    const channel = await askOver('How many days?');
    expect(await socket.gateway.db.slackEvent.count()).toBe(1);
    await socket.replied(channel);
    const app = (await socket.gateway.send('get', `/api/v1/slack-apps/${socket.appId}`)).json.data;
    expect(app).toMatchObject({ transport: 'socket', isConnected: true });
  });

  it('handles buttons and opens dialogs', async () => {
    const channel = socket.slack.direct('U0GRACE');
    const { ts, blocks } = await socket.replied(channel);
    const action = { action_id: 'lectern_down', value: blocks.at(-1).elements[0].value };
    const body = clickBody(socket.slack.model, { channel, ts, user: 'U0GRACE', action }, socket.slack.triggers);
    await socket.slack.sockets.send('interactive', body);
    await waitFor(() => socket.slack.views.length === 1);
    await waitFor(() => socket.gateway.services.calls.some(({ method }) => method === 'setFeedback'));
  });

  it('connects again when Slack asks for it', async () => {
    const before = socket.slack.requests.filter(({ path: called }) => called === '/api/apps.connections.open').length;
    socket.slack.sockets.refresh();
    await waitFor(() => {
      const opened = socket.slack.requests.filter(({ path: called }) => called === '/api/apps.connections.open').length;
      return opened > before && socket.slack.sockets.connections() === 1;
    });
    await socket.replied(await askOver('And now?'), 2);
  });

  it('has one connection for all replicas', async () => {
    const replica = await socket.gateway.startReplica();
    await socket.replied(await askOver('With two replicas?'), 3);
    expect(socket.slack.sockets.connections()).toBe(1);
    await replica.stop();
  });

  it('accepts no unsigned requests over HTTP', async () => {
    const event = askEvent(socket.slack.model, {
      channel: socket.slack.direct('U0GRACE'),
      user: 'U0GRACE',
      text: 'x?',
    });
    expect((await socket.deliver(event)).status).toBe(401);
  });

  it('closes the connection when the app is deleted', async () => {
    await socket.gateway.send('delete', `/api/v1/slack-apps/${socket.appId}`);
    await waitFor(() => socket.slack.sockets.connections() === 0);
  });
});
