import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ConfluenceServer,
  type GithubServer,
  type GoogleDriveServer,
  type S3Server,
  type SlackServer,
  startConfluenceServer,
  startGithubServer,
  startGoogleDriveServer,
  startS3Server,
  startSlackServer,
  waitUntil,
} from '@lectern/testing';
import { type Api, createApi, type Json } from './support/api.ts';
import { tapNats } from './support/nats-tap.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';
import { startTraceReceiver } from './support/trace-receiver.ts';

/** Markers in invalid credentials, which test the error paths. */
const MARK = `canary-${randomUUID().slice(0, 8)}`;
const marked = (name: string) => `${MARK}-${name}`;

const PUBLIC = 'https://lectern.test';

let bucket: S3Server;
let google: GoogleDriveServer;
let confluence: ConfluenceServer;
let github: GithubServer;
let slack: SlackServer;
let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let tap: Awaited<ReturnType<typeof tapNats>>;
let lectern: Lectern;
let api: Api;
let collection: string;
/** Every response body. */
const responses: string[] = [];

beforeAll(async () => {
  [bucket, google, confluence, github, slack, receiver] = await Promise.all([
    startS3Server(),
    startGoogleDriveServer({ redirectUris: [`${PUBLIC}/api/v1/oauth/callback/google_drive`] }),
    startConfluenceServer(),
    startGithubServer(),
    startSlackServer(),
    startTraceReceiver(),
  ]);
  bucket.put('a.txt', 'Alpha.');
  github.repository('acme/site');
  github.commit('acme/site', { 'readme.md': '# Site' });
  google.model.put({ id: 'f-1', name: 'plan.txt', mimeType: 'text/plain', content: 'A plan.' });
  lectern = await startLectern({
    PUBLIC_URL: PUBLIC,
    LOG_LEVEL: 'trace',
    EGRESS_ALLOW: [bucket, confluence].map(({ origin }) => new URL(origin).host).join(),
    GITHUB_API_URL: github.apiUrl,
    SLACK_API_URL: slack.apiUrl,
    GOOGLE_API_URL: google.origin,
    GOOGLE_AUTH_URL: `${google.origin}/o/oauth2/v2/auth`,
    GOOGLE_TOKEN_URL: `${google.origin}/token`,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  tap = await tapNats((await lectern.home.state()).natsUrl ?? '');
  const plain = createApi(lectern.credentials);
  api = {
    ...plain,
    call: async (method, path, body) => {
      const response = await plain.call(method, path, body);
      responses.push(JSON.stringify({ ...response, headers: [...response.headers] }));
      return response;
    },
  };
  collection = (await plain.ok('POST', '/api/v1/collections', { name: 'Guarded' })).id;
});
afterAll(async () => {
  tap?.close();
  await lectern?.stop();
  await Promise.all([bucket, google, confluence, github, slack, receiver].map((server) => server?.stop()));
});

const post = async (path: string, body: object): Promise<Json> => (await api.call('POST', `/api/v1${path}`, body)).data;

/** Creates, reads, updates, tests and syncs a connector with valid and invalid credentials. */
async function useConnector(
  fields: { type: string; config: object; credentials: object },
  wrong: object,
): Promise<void> {
  await post('/connectors/test', fields);
  await post('/connectors/test', { ...fields, credentials: wrong });
  await post('/connectors', {
    ...fields,
    name: 'x',
    collection,
    credentials: { ...wrong, surplus: marked('surplus') },
  });
  for (const credentials of [fields.credentials, wrong]) {
    const { id } = await post('/connectors', { ...fields, credentials, name: 'Used', collection });
    await post(`/connectors/${id}/test`, {});
    await api.call('PUT', `/api/v1/connectors/${id}`, { credentials, config: fields.config });
    await api.call('PUT', `/api/v1/connectors/${id}`, { credentials: { ...credentials, surplus: marked('more') } });
    const { jobId } = await post(`/connectors/${id}/sync`, {});
    await api.endOfJob(id, jobId);
    for (const path of ['', `/sync/${jobId}`, '/sync', '/documents', '/files']) {
      await api.call('GET', `/api/v1/connectors/${id}${path}`);
    }
    await api.call('DELETE', `/api/v1/connectors/${id}`);
  }
  await api.call('GET', '/api/v1/connectors');
}

async function authorize(): Promise<{ state: string; code: string }> {
  const started = await post('/oauth/init', { provider: 'google_drive', name: 'Drive', collection });
  const url = new URL(started.authorizationUrl);
  const page = await fetch(url, { redirect: 'manual' });
  const to = new URL(page.headers.get('location') ?? '');
  const back = await fetch(`${lectern.baseUrl}${to.pathname}${to.search}`);
  responses.push(await back.text());
  expect(back.status).toBe(200);
  const { connectorId } = started;
  google.oauth.expireAccess();
  const { jobId } = await post(`/connectors/${connectorId}/sync`, {});
  expect(await api.endOfJob(connectorId, jobId)).toMatchObject({ status: 'completed', progress: { indexed: 1 } });
  google.oauth.revoke();
  await post(`/connectors/${connectorId}/test`, {});
  await api.call('GET', `/api/v1/connectors/${connectorId}`);
  await api.call('GET', `/api/v1/oauth/callback/google_drive?state=${started.state}&code=${marked('code')}`);
  return { state: started.state, code: to.searchParams.get('code') ?? '' };
}

async function logs(): Promise<string> {
  const folder = join(lectern.home.path, 'logs');
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return [lectern.launcher.output(), ...files].join('\n');
}

describe('credentials', () => {
  it('are in no response, log line, trace or NATS message', async () => {
    await useConnector(
      {
        type: 's3',
        config: { bucket: bucket.bucket, region: bucket.region, endpoint: bucket.origin },
        credentials: { accessKeyId: bucket.accessKeyId, secretAccessKey: bucket.secretAccessKey },
      },
      { accessKeyId: marked('id'), secretAccessKey: marked('secret') },
    );
    await useConnector(
      {
        type: 'confluence',
        config: { instanceUrl: confluence.instanceUrl },
        credentials: { email: confluence.email, apiToken: confluence.apiToken },
      },
      { email: confluence.email, apiToken: marked('token') },
    );
    await useConnector(
      { type: 'github', config: { repos: ['acme/site'] }, credentials: { token: github.token } },
      { token: marked('github') },
    );
    await useConnector({ type: 'slack', config: {}, credentials: { token: slack.token } }, { token: marked('slack') });
    const { state, code } = await authorize();
    await waitUntil(() => receiver.spans.some(({ name }) => name.includes('/oauth/callback')), {
      what: 'the last spans',
      timeoutMs: 20_000,
    });

    const secrets = [
      MARK,
      bucket.accessKeyId,
      bucket.secretAccessKey,
      confluence.apiToken,
      Buffer.from(`${confluence.email}:${confluence.apiToken}`).toString('base64'),
      github.token,
      slack.token,
      google.clientSecret,
      code,
      ...google.oauth.issued,
    ];
    const master = (await readFile(join(lectern.home.path, 'master-keys'), 'utf8')).trim().slice(2);
    const places = {
      responses: responses.join('\n'),
      logs: await logs(),
      traces: receiver.received(),
      messages: tap.received(),
    };
    // The searched data contains the operations.
    expect(places.responses).toContain('completed');
    expect(places.logs).toContain('sync job ended');
    expect(places.messages).toContain('lectern.work.sync-item');
    for (const [place, text] of Object.entries(places)) {
      const found = [...secrets, master].filter((secret) => text.includes(secret));
      expect({ place, found }).toEqual({ place, found: [] });
      // Only the user who started the authorization can see the state.
      if (place !== 'responses') expect({ place, state: text.includes(state) }).toEqual({ place, state: false });
    }
  }, 180_000);
});
