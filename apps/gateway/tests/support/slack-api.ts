import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BOT_SCOPES } from '#slack/scopes';

let bots = 0;

/** Each token is one of another app. */
const RESPONSES: Readonly<Record<string, () => object>> = {
  '/api/auth.test': () => {
    bots += 1;
    return { team_id: 'T0SAMPLE', team: 'Sample', user_id: `U0SAMPLE${bots}`, bot_id: `B0SAMPLE${bots}` };
  },
  '/api/conversations.info': () => ({ channel: { id: 'C0SAMPLE', is_shared: false } }),
  '/api/conversations.members': () => ({ members: ['U0SAMPLE'] }),
  '/api/users.list': () => ({ members: [{ id: 'U0SAMPLE', team_id: 'T0SAMPLE' }] }),
  '/api/chat.postMessage': () => ({ ts: '1700000000.000100', channel: 'C0SAMPLE' }),
};

// It runs as long as the process of the test, which it does not keep alive.
const server = createServer(({ url = '' }, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('X-OAuth-Scopes', BOT_SCOPES.join(','));
  const create = RESPONSES[url];
  response.end(
    JSON.stringify(create === undefined ? { ok: false, error: 'unknown_method' } : { ok: true, ...create() }),
  );
}).unref();
server.listen(0, '127.0.0.1');
await once(server, 'listening');

/** The Slack of sample requests, which accepts every token. */
export const slackApi = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
