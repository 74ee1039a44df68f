import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { timeLimit, waitUntil } from '@lectern/testing';
import type { Credentials } from '#credentials';
import { type Api, type ApiResponse, createApi, type Json } from './support/api.ts';
import { connectApp } from './support/connect-app.ts';
import { PROVIDER_TEAM, type SharedLectern, SLACK_TOKEN, shareLectern } from './support/shared-lectern.ts';

/** Samples alternate. Their medians can differ by a few milliseconds on a busy machine. */
const SAMPLES = 15;
const NOISE_MS = 15;

let lectern: SharedLectern;
let first: Api;
let second: Api;
/** A key of the first team without access to any collection. */
let restricted: Api;
/** People of the first team who can only see their own conversations and runs, and of the second one. */
let ada: Person;
let bob: Person;
let foreign: Person;
/** Ids of the first team by the placeholders in paths and bodies. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  lectern = await shareLectern(PROVIDER_TEAM);
  first = lectern.api;
  const secondTeam = await lectern.createTeam();
  second = createApi(secondTeam);
  const { id: COLLECTION } = await first.ok('POST', '/api/v1/collections', { name: 'Secrets' });
  const document = { title: 'Vault', content: 'The vault code is xylophone.' };
  const { id: DOCUMENT } = await first.ok('POST', `/api/v1/collections/${COLLECTION}/documents`, document);
  await first.until(`/api/v1/documents/${DOCUMENT}`, ({ status }) => status === 'indexed');
  const upload = { name: 'Files', type: 'upload', collection: COLLECTION };
  const { id: CONNECTOR } = await first.ok('POST', '/api/v1/connectors', upload);
  const { jobId: JOB } = await first.upload(CONNECTOR, [{ name: 'a.txt', bytes: 'Another xylophone.' }]);
  await first.endOfJob(CONNECTOR, JOB);
  const custom = { name: 'Wiki', type: 'custom', collection: COLLECTION };
  const { id: CUSTOM } = await first.ok('POST', '/api/v1/connectors', custom);
  const page = { action: 'put', id: 'vault', revision: 1, title: 'Vault', content: 'A third xylophone.' };
  const { jobId: PUSH } = await first.ok('POST', `/api/v1/connectors/${CUSTOM}/items`, { items: [page] });
  await first.endOfJob(CUSTOM, PUSH);
  const { id: SNAPSHOT } = await first.ok('POST', `/api/v1/connectors/${CUSTOM}/snapshots`);
  const agent = { name: 'Helper', systemPrompt: 'You help.', collections: [COLLECTION] };
  const { id: AGENT } = await first.ok('POST', '/api/v1/agents', agent);
  const memory = { content: 'The vault code is xylophone.' };
  const { id: MEMORY } = await first.ok('POST', `/api/v1/agents/${AGENT}/memories`, memory);
  const reply = await first.ok('POST', `/api/v1/teams/${first.teamId}/chat`, { message: 'What is the vault code?' });
  const [started] = await first.stream(`/api/v1/agents/${AGENT}/execute/stream`, {
    message: 'What is the vault code?',
  });
  const synonym = { terms: ['xylophone', 'vault code'], collection: COLLECTION };
  const { id: SYNONYM } = await first.ok('POST', '/api/v1/synonyms', synonym);
  const rule = { query: 'xylophone', pins: [{ documentId: DOCUMENT, position: 1 }], collection: COLLECTION };
  const { id: RULE } = await first.ok('POST', '/api/v1/search-rules', rule);
  const testCase = { question: 'What is the vault code?', messageId: reply.id };
  const { id: CASE } = await first.ok('POST', '/api/v1/test-cases', testCase);
  const { id: TESTRUN } = await first.ok('POST', '/api/v1/test-runs');
  const server = { name: 'Xylophone', slug: 'xylophone', kind: 'mcp', url: 'https://xylophone.example.com/mcp' };
  const { id: TOOLSERVER } = await first.ok('POST', '/api/v1/tool-servers', server);
  const endpoint = {
    name: 'Xylophone',
    provider: 'openai',
    url: 'https://xylophone.example.com/v1',
    models: [{ id: 'xylophone-1' }],
  };
  const { id: ENDPOINT } = await first.ok('POST', '/api/v1/model-endpoints', endpoint);
  const schedule = { name: 'Xylophone', message: 'What is the vault code?', cron: '0 7 1 1 *' };
  const { id: SCHEDULE } = await first.ok('POST', `/api/v1/agents/${AGENT}/schedules`, schedule);
  const invitation = await first.ok('POST', '/api/v1/invitations', { email: 'xylophone@example.com' });
  const guest = await first.ok('POST', '/api/v1/invitations', { email: 'guest.xylophone@example.com' });
  const { person } = await useInvitation(guest, 'Xylophone');
  ada = await signUp(lectern.credentials, first, 'member');
  bob = await signUp(lectern.credentials, first, 'member');
  foreign = await signUp(secondTeam, second, 'admin');
  const { id: APP } = await connectApp(lectern.baseUrl, ada.session, 'Xylophone');
  const group = await first.ok('POST', '/api/v1/groups', { name: 'Xylophone players' });
  const hasProvider = async () => (await first.all('/api/v1/identity-providers')).length > 0;
  await waitUntil(hasProvider, { what: 'the identity provider of the settings', timeoutMs: 60_000 });
  const [provider] = await first.all('/api/v1/identity-providers');
  // Nothing listens at this address, and the egress guard blocks it.
  const url = 'https://127.0.0.1:1/xylophone';
  const webhook = await first.ok('POST', '/api/v1/webhooks', { url, events: [] });
  const test = await first.ok('POST', `/api/v1/webhooks/${webhook.id}/test`, {});
  const signingSecret = '0123456789abcdef0123456789abcdef';
  const slack = { name: 'Xylophone chat', transport: 'http', botToken: SLACK_TOKEN, signingSecret };
  const { id: SLACKAPP } = await first.ok('POST', '/api/v1/slack-apps', slack);
  const scim = await first.ok('POST', '/api/v1/scim-tokens', { name: 'Xylophone', provider: 'okta' });
  const pair = await first.ok('POST', '/api/v1/api-keys', { name: 'scoped', allow_all_collections: false });
  await first.ok('POST', '/api/v1/analytics/events', { name: 'secret-event' });
  restricted = createApi({ ...lectern.credentials, secretKey: pair.secretKey });
  Object.assign(ids, {
    COLLECTION,
    DOCUMENT,
    SYNONYM,
    RULE,
    CONNECTOR,
    CUSTOM,
    SNAPSHOT,
    JOB,
    AGENT,
    MEMORY,
    RUN: started?.data.runId,
    CONVERSATION: reply.conversationId,
    MESSAGE: reply.id,
    CASE,
    TESTRUN,
    TOOLSERVER,
    ENDPOINT,
    SCHEDULE,
    // No run of the built-in model waits for an approval: the run decides.
    APPROVAL: 'apr_01h455vb4pex5vsknk084sn0aa',
    KEY: pair.id,
    PERSON: person.id,
    INVITATION: invitation.id,
    GROUP: group.id,
    PROVIDER: provider.id,
    SLACKAPP,
    SCIM: scim.id,
    WEBHOOK: webhook.id,
    DELIVERY: test.id,
    APP,
  });
}, 240_000);

/** Someone with a session and a user token. */
interface Person {
  readonly session: Api;
  readonly token: Api;
}

/** Creates the account of an invitation. */
async function useInvitation({ url }: Json, name: string): Promise<{ readonly person: Json; readonly cookie: string }> {
  const response = await fetch(`${lectern.baseUrl}/api/v1/account-links/use`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': '1' },
    body: JSON.stringify({ token: url.split('#')[1], name, password: 'a long enough sentence' }),
  });
  const { data }: Json = await response.json();
  return { person: data.person, cookie: response.headers.getSetCookie().map((text) => text.split(';')[0])[0] ?? '' };
}

async function signUp(credentials: Credentials, team: Api, role: string): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const { cookie } = await useInvitation(await team.ok('POST', '/api/v1/invitations', { email, role }), 'Person');
  const rights = ['search', 'chat'];
  const { token } = await team.ok('POST', '/api/v1/user-tokens', { user: email, rights });
  return {
    session: createApi(credentials, { authorization: '', cookie, 'x-lectern-csrf': '1' }),
    token: createApi({ ...credentials, secretKey: token }),
  };
}

/** Every route with an id in its path or body. */
const ROUTES: readonly (readonly [string, string, unknown?])[] = [
  ['GET', '/api/v1/collections/COLLECTION'],
  ['PUT', '/api/v1/collections/COLLECTION', { name: 'Stolen' }],
  ['DELETE', '/api/v1/collections/COLLECTION'],
  ['POST', '/api/v1/collections/COLLECTION/refresh-stats'],
  ['GET', '/api/v1/collections/COLLECTION/documents'],
  ['POST', '/api/v1/collections/COLLECTION/documents', { title: 'T', content: 'C' }],
  ['GET', '/api/v1/documents/DOCUMENT'],
  ['GET', '/api/v1/documents/DOCUMENT/content'],
  ['GET', '/api/v1/documents/DOCUMENT/summary'],
  ['GET', '/api/v1/documents/DOCUMENT/pages'],
  ['GET', '/api/v1/documents/DOCUMENT/page-image'],
  ['DELETE', '/api/v1/documents/DOCUMENT'],
  ['GET', '/api/v1/synonyms/SYNONYM'],
  ['PUT', '/api/v1/synonyms/SYNONYM', { enabled: false }],
  ['DELETE', '/api/v1/synonyms/SYNONYM'],
  ['GET', '/api/v1/synonyms/export?collection=COLLECTION'],
  ['POST', '/api/v1/synonyms', { terms: ['a', 'b'], collection: 'COLLECTION' }],
  ['POST', '/api/v1/synonyms/import', { text: 'a, b', collection: 'COLLECTION' }],
  ['GET', '/api/v1/search-rules/RULE'],
  ['PUT', '/api/v1/search-rules/RULE', { enabled: false }],
  ['DELETE', '/api/v1/search-rules/RULE'],
  ['GET', '/api/v1/search-rules/export?collection=COLLECTION'],
  ['POST', '/api/v1/search-rules', { query: 'a', hides: ['DOCUMENT'], collection: 'COLLECTION' }],
  ['POST', '/api/v1/search-rules/import', { rules: [{ query: 'a', hides: ['DOCUMENT'] }], collection: 'COLLECTION' }],
  ['GET', '/api/v1/connectors/CONNECTOR'],
  ['PUT', '/api/v1/connectors/CONNECTOR', { name: 'Stolen' }],
  ['DELETE', '/api/v1/connectors/CONNECTOR'],
  ['POST', '/api/v1/connectors/CONNECTOR/test'],
  ['POST', '/api/v1/connectors/CONNECTOR/refresh-permissions'],
  ['GET', '/api/v1/connectors/CONNECTOR/sync'],
  ['POST', '/api/v1/connectors/CONNECTOR/sync', {}],
  ['GET', '/api/v1/connectors/CONNECTOR/sync/JOB'],
  ['DELETE', '/api/v1/connectors/CONNECTOR/sync/JOB'],
  ['GET', '/api/v1/connectors/CONNECTOR/sync/JOB/events'],
  ['GET', '/api/v1/connectors/CONNECTOR/documents'],
  ['GET', '/api/v1/connectors/CONNECTOR/documents/DOCUMENT'],
  ['DELETE', '/api/v1/connectors/CONNECTOR/documents/DOCUMENT'],
  ['GET', '/api/v1/connectors/CONNECTOR/files'],
  ['DELETE', '/api/v1/connectors/CONNECTOR/files', { files: ['a.txt'] }],
  ['GET', '/api/v1/connectors/CUSTOM/items'],
  ['POST', '/api/v1/connectors/CUSTOM/items', { items: [{ action: 'delete', id: 'vault', revision: 2 }] }],
  ['GET', '/api/v1/connectors/CUSTOM/items/vault'],
  ['DELETE', '/api/v1/connectors/CUSTOM/items/vault'],
  ['POST', '/api/v1/connectors/CUSTOM/snapshots'],
  ['GET', '/api/v1/connectors/CUSTOM/snapshots/SNAPSHOT'],
  ['POST', '/api/v1/connectors/CUSTOM/snapshots/SNAPSHOT/complete', { confirmDeletions: true }],
  ['DELETE', '/api/v1/connectors/CUSTOM/snapshots/SNAPSHOT'],
  ['GET', '/api/v1/agents/AGENT'],
  ['PUT', '/api/v1/agents/AGENT', { name: 'Stolen' }],
  ['DELETE', '/api/v1/agents/AGENT'],
  ['POST', '/api/v1/agents/AGENT/execute/stream', { message: 'Xylophone?' }],
  ['GET', '/api/v1/agents/AGENT/runs'],
  ['GET', '/api/v1/agents/AGENT/runs/RUN'],
  ['POST', '/api/v1/agents/AGENT/runs/RUN/cancel'],
  ['GET', '/api/v1/agents/AGENT/runs/RUN/approvals'],
  ['POST', '/api/v1/agents/AGENT/runs/RUN/approvals/APPROVAL', { decision: 'approve' }],
  ['GET', '/api/v1/agents/AGENT/schedules'],
  ['POST', '/api/v1/agents/AGENT/schedules', { name: 'Stolen', message: 'Xylophone?', cron: '0 7 1 1 *' }],
  ['GET', '/api/v1/agents/AGENT/schedules/SCHEDULE'],
  ['PUT', '/api/v1/agents/AGENT/schedules/SCHEDULE', { message: 'Stolen' }],
  ['DELETE', '/api/v1/agents/AGENT/schedules/SCHEDULE'],
  ['POST', '/api/v1/agents/AGENT/schedules/SCHEDULE/run'],
  ['GET', '/api/v1/agents/AGENT/schedules/SCHEDULE/runs'],
  ['GET', '/api/v1/tool-servers/TOOLSERVER'],
  ['PUT', '/api/v1/tool-servers/TOOLSERVER', { name: 'Stolen' }],
  ['DELETE', '/api/v1/tool-servers/TOOLSERVER'],
  ['POST', '/api/v1/tool-servers/TOOLSERVER/refresh'],
  ['POST', '/api/v1/tool-servers/TOOLSERVER/test'],
  ['GET', '/api/v1/tool-servers/TOOLSERVER/tools'],
  ['PUT', '/api/v1/tool-servers/TOOLSERVER/tools/xylophone__play', { enabled: false }],
  ['GET', '/api/v1/model-endpoints/ENDPOINT'],
  ['PUT', '/api/v1/model-endpoints/ENDPOINT', { name: 'Stolen' }],
  ['DELETE', '/api/v1/model-endpoints/ENDPOINT'],
  ['POST', '/api/v1/model-endpoints/test', { id: 'ENDPOINT' }],
  ['POST', '/api/v1/agents/from-template/tpl_company-assistant', { collections: ['COLLECTION'] }],
  ['GET', '/api/v1/agents/AGENT/memories'],
  ['POST', '/api/v1/agents/AGENT/memories', { content: 'Stolen' }],
  ['GET', '/api/v1/agents/AGENT/memories/search?query=xylophone'],
  ['GET', '/api/v1/agents/AGENT/memories/MEMORY'],
  ['PUT', '/api/v1/agents/AGENT/memories/MEMORY', { content: 'Stolen' }],
  ['DELETE', '/api/v1/agents/AGENT/memories/MEMORY'],
  ['GET', '/api/v1/teams/TEAM/conversations/CONVERSATION'],
  ['PUT', '/api/v1/teams/TEAM/conversations/CONVERSATION', { shared: true }],
  ['DELETE', '/api/v1/teams/TEAM/conversations/CONVERSATION'],
  ['POST', '/api/v1/teams/TEAM/conversations/CONVERSATION/regenerate', {}],
  ['POST', '/api/v1/teams/TEAM/conversations/CONVERSATION/regenerate/stream', {}],
  ['POST', '/api/v1/teams/TEAM/conversations/CONVERSATION/messages/MESSAGE/feedback', { rating: 'up' }],
  ['DELETE', '/api/v1/teams/TEAM/conversations/CONVERSATION/messages/MESSAGE/feedback'],
  ['PUT', '/api/v1/questions/MESSAGE', { done: true }],
  ['POST', '/api/v1/test-cases', { question: 'Xylophone?', messageId: 'MESSAGE' }],
  ['GET', '/api/v1/test-cases/CASE'],
  ['PUT', '/api/v1/test-cases/CASE', { question: 'Stolen' }],
  ['DELETE', '/api/v1/test-cases/CASE'],
  ['GET', '/api/v1/test-runs/TESTRUN'],
  ['POST', '/api/v1/test-runs/TESTRUN/cancel'],
  ['GET', '/api/v1/test-runs/TESTRUN/results'],
  ['GET', '/api/v1/api-keys/KEY'],
  ['PUT', '/api/v1/api-keys/KEY', { name: 'Stolen' }],
  ['POST', '/api/v1/api-keys/KEY/rotate'],
  ['DELETE', '/api/v1/api-keys/KEY'],
  ['GET', '/api/v1/people/PERSON'],
  ['PUT', '/api/v1/people/PERSON', { name: 'Stolen' }],
  ['POST', '/api/v1/people/PERSON/password-reset'],
  ['GET', '/api/v1/people/PERSON/sessions'],
  ['DELETE', '/api/v1/people/PERSON/sessions'],
  ['DELETE', '/api/v1/invitations/INVITATION'],
  ['GET', '/api/v1/identity-providers/PROVIDER'],
  ['PUT', '/api/v1/identity-providers/PROVIDER', { isShown: false }],
  ['DELETE', '/api/v1/identity-providers/PROVIDER'],
  ['GET', '/api/v1/slack-apps/SLACKAPP'],
  ['PUT', '/api/v1/slack-apps/SLACKAPP', { isEnabled: false }],
  ['DELETE', '/api/v1/slack-apps/SLACKAPP'],
  ['POST', '/api/v1/slack-apps/SLACKAPP/test'],
  ['POST', '/api/v1/slack-apps/SLACKAPP/messages', { channel: 'C0ALL', text: 'Xylophone' }],
  ['DELETE', '/api/v1/scim-tokens/SCIM'],
  ['GET', '/api/v1/webhooks/WEBHOOK'],
  ['PUT', '/api/v1/webhooks/WEBHOOK', { description: 'Stolen' }],
  ['DELETE', '/api/v1/webhooks/WEBHOOK'],
  ['POST', '/api/v1/webhooks/WEBHOOK/rotate-secret', {}],
  ['POST', '/api/v1/webhooks/WEBHOOK/test', {}],
  ['GET', '/api/v1/webhooks/WEBHOOK/deliveries'],
  ['GET', '/api/v1/webhooks/WEBHOOK/deliveries/DELIVERY'],
  ['POST', '/api/v1/webhooks/WEBHOOK/deliveries/DELIVERY/replay', {}],
  ['POST', '/api/v1/webhooks', { url: 'https://example.com/', events: [], collections: ['COLLECTION'] }],
  ['DELETE', '/api/v1/apps/APP'],
  ['GET', '/api/v1/groups/GROUP'],
  ['PUT', '/api/v1/groups/GROUP', { role: 'admin' }],
  ['DELETE', '/api/v1/groups/GROUP'],
  ['GET', '/api/v1/groups/GROUP/members'],
  ['PUT', '/api/v1/groups/GROUP/members/PERSON'],
  ['DELETE', '/api/v1/groups/GROUP/members/PERSON'],
  ['GET', '/api/v1/budgets/PERSON'],
  ['PUT', '/api/v1/budgets/PERSON', { hardTokens: 1 }],
  ['DELETE', '/api/v1/budgets/PERSON'],
  ['GET', '/api/v1/budgets/KEY'],
  ['PUT', '/api/v1/budgets/KEY', { hardTokens: 1 }],
  ['DELETE', '/api/v1/budgets/KEY'],
  ['POST', '/api/v1/search', { query: 'xylophone', collections: ['COLLECTION'] }],
  ['POST', '/api/v1/search/faceted', { query: 'xylophone', collections: ['COLLECTION'] }],
  ['POST', '/v1/docs/search', { query: 'xylophone', collections: ['COLLECTION'] }],
  ['POST', '/api/v1/search/suggestions', { query: 'xylophone', collections: ['COLLECTION'] }],
  ['POST', '/api/v1/teams/TEAM/chat', { message: 'Xylophone?', collections: ['COLLECTION'] }],
  ['POST', '/api/v1/teams/TEAM/chat', { message: 'Xylophone?', agentId: 'AGENT' }],
  ['POST', '/api/v1/teams/TEAM/chat', { message: 'Xylophone?', conversationId: 'CONVERSATION' }],
  ['POST', '/api/v1/teams/TEAM/chat/stream', { message: 'Xylophone?', conversationId: 'CONVERSATION' }],
  ['POST', '/api/v1/agents', { name: 'A', systemPrompt: 'P', collections: ['COLLECTION'] }],
  ['POST', '/api/v1/connectors', { name: 'C', type: 'upload', collection: 'COLLECTION' }],
  ['POST', '/api/v1/api-keys', { name: 'K', allowed_collections: ['COLLECTION'] }],
  ['POST', '/api/v1/user-tokens', { user: 'ada@example.com', collections: ['COLLECTION'] }],
];

const LISTS = [
  'collections',
  'connectors',
  'agents',
  'api-keys',
  'approvals',
  'people',
  'invitations',
  'groups',
  'identity-providers',
  'slack-apps',
  'budgets',
  'scim-tokens',
  'webhooks',
  'apps',
  'audit',
  'analytics/usage/breakdown?by=key',
  'analytics/usage/breakdown?by=person',
  'analytics/events',
  'questions',
  'search-analytics/queries',
  'test-cases',
  'test-runs',
  'tool-servers',
  'tools',
  'model-endpoints',
].map((n) => `/api/v1/${n}`);

/** Replaces placeholders by ids. */
function fill(text: string, idsByName: Readonly<Record<string, string>>, teamId: string): string {
  return text.replaceAll(/\b[A-Z]{3,}\b/g, (name) => (name === 'TEAM' ? teamId : (idsByName[name] ?? name)));
}

/** Well-formed ids that do not exist. */
const unknown = () =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.replace(/_.*/, '_01h455vb4pex5vsknk084sn02q')]));

function callRoute(
  api: Api,
  [method, path, body]: (typeof ROUTES)[number],
  idsByName: Record<string, string>,
): Promise<ApiResponse> {
  const filled = body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body), idsByName, api.teamId));
  return api.call(method, fill(path, idsByName, api.teamId), filled);
}

/** The status and error of a response, with ids replaced by placeholders. */
function outcomeOf({ status, error }: ApiResponse, idsByName: Readonly<Record<string, string>>): Json {
  let text = JSON.stringify({ status, error });
  // Longer ids first: the unknown id of a test run (trun_…) contains that of a run (run_…).
  const longestFirst = Object.entries(idsByName).sort(([, a], [, b]) => b.length - a.length);
  // By kind: two unknown ids of a kind are the same.
  for (const [, id] of longestFirst) text = text.replaceAll(id, id.replace(/_.*/, ''));
  return JSON.parse(text);
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

describe('another team', () => {
  it.each(ROUTES)('gets the same response from %s %s %j as for an unknown id', async (...route) => {
    const unknownIds = unknown();
    const foreign = outcomeOf(await callRoute(second, route, ids), ids);
    expect(foreign).toEqual(outcomeOf(await callRoute(second, route, unknownIds), unknownIds));
    expect([400, 404]).toContain(foreign.status);
  });

  it.each(ROUTES.filter(([method]) => method === 'GET'))(
    'cannot detect existing ids by the response time of %s %s',
    async (...route) => {
      const unknownIds = unknown();
      const times: Record<'foreign' | 'unknown', number[]> = { foreign: [], unknown: [] };
      for (let n = 0; n < SAMPLES; n += 1) {
        for (const [kind, idsByName] of [
          ['foreign', ids],
          ['unknown', unknownIds],
        ] as const) {
          const started = performance.now();
          await callRoute(second, route, idsByName);
          times[kind].push(performance.now() - started);
        }
      }
      expect(Math.abs(median(times.foreign) - median(times.unknown))).toBeLessThan(timeLimit(NOISE_MS));
    },
  );

  it.each(ROUTES)('gives its people and user tokens no more at %s %s %j', async (...route) => {
    const unknownIds = unknown();
    for (const api of [foreign.session, foreign.token]) {
      const outcome = outcomeOf(await callRoute(api, route, ids), ids);
      expect(outcome).toEqual(outcomeOf(await callRoute(api, route, unknownIds), unknownIds));
      expect([400, 403, 404]).toContain(outcome.status);
    }
  });

  it('finds nothing of the first team in lists, searches and chat', async () => {
    const lists = await Promise.all(
      [...LISTS, `/api/v1/teams/${second.teamId}/conversations`].map((path) => second.all(path)),
    );
    const query = { query: 'xylophone', facets: ['source'] };
    const found = await second.ok('POST', '/api/v1/search/faceted', query);
    const reply = await second.ok('POST', `/api/v1/teams/${second.teamId}/chat`, {
      message: 'What is the vault code?',
    });
    const suggested = await second.ok('GET', `/api/v1/teams/${second.teamId}/suggestions`);
    const models = await second.ok('GET', '/api/v1/models');
    const text = JSON.stringify([lists, found, reply, suggested, models]);
    for (const id of Object.values(ids)) expect(text).not.toContain(id);
    expect(text).not.toMatch(/vault code is|secret-event|xylophone-1/);
    expect(found.results).toEqual([]);
    expect((await second.call('GET', `/api/v1/teams/${first.teamId}/conversations`)).status).toBe(403);
  });
});

describe('another person of the same team', () => {
  /** The ids of Ada's own conversation and run. */
  const adas: Record<string, string> = {};
  beforeAll(async () => {
    const message = 'What is the vault code?';
    const reply = await ada.session.ok('POST', `/api/v1/teams/${first.teamId}/chat`, { message });
    const [started] = await ada.session.stream(`/api/v1/agents/${ids.AGENT}/execute/stream`, { message });
    Object.assign(adas, ids, { CONVERSATION: reply.conversationId, RUN: started?.data.runId });
  });

  it.each(ROUTES.filter((route) => /CONVERSATION|RUN/.test(JSON.stringify(route))))(
    'gets the same response from %s %s %j as for an unknown id',
    async (...route) => {
      const unknownIds = { ...adas, CONVERSATION: unknown().CONVERSATION ?? '', RUN: unknown().RUN ?? '' };
      for (const api of [bob.session, bob.token]) {
        const outcome = outcomeOf(await callRoute(api, route, adas), adas);
        expect(outcome).toEqual(outcomeOf(await callRoute(api, route, unknownIds), unknownIds));
        expect([403, 404]).toContain(outcome.status);
      }
    },
  );

  it('does not see it in lists, unlike the person and their user tokens', async () => {
    const path = `/api/v1/teams/${first.teamId}/conversations`;
    for (const api of [bob.session, bob.token]) expect(await api.all(path)).toEqual([]);
    for (const api of [ada.session, ada.token]) {
      expect((await api.all(path)).map(({ id }) => id)).toContain(adas.CONVERSATION);
    }
  });
});

describe('a key without access to any collection', () => {
  it('is rejected for collections and documents, and finds nothing', async () => {
    for (const path of [
      '/api/v1/collections/COLLECTION',
      '/api/v1/documents/DOCUMENT/content',
      '/api/v1/agents/AGENT',
    ]) {
      expect((await callRoute(restricted, ['GET', path], ids)).error.code).toBe('forbidden');
    }
    expect(await restricted.ok('GET', '/api/v1/collections')).toEqual([]);
    expect(await restricted.ok('GET', '/api/v1/connectors')).toEqual([]);
    expect(await restricted.ok('GET', '/api/v1/agents')).toEqual([]);
    const found = await restricted.ok('POST', '/api/v1/search/faceted', { query: 'xylophone', facets: ['source'] });
    expect(found.results).toEqual([]);
    expect(found.facets).toMatchObject([{ values: [] }]);
    const named = { query: 'xylophone', collections: [ids.COLLECTION] };
    expect((await restricted.call('POST', '/api/v1/search', named)).error.code).toBe('forbidden');
  });

  it('chats without sources, and sees only its own conversations', async () => {
    const path = `/api/v1/teams/${first.teamId}`;
    const reply = await restricted.ok('POST', `${path}/chat`, { message: 'What is the vault code?' });
    expect(reply.sources).toEqual([]);
    const listed = await restricted.ok('GET', `${path}/conversations`);
    expect(listed.map(({ id }: Json) => id)).toEqual([reply.conversationId]);
    expect((await restricted.call('GET', `${path}/conversations/${ids.CONVERSATION}`)).status).toBe(404);
    expect((await first.all(`${path}/conversations`)).length).toBe(5);
  });
});

describe('the records of the first team', () => {
  it('are unchanged', async () => {
    expect(await first.ok('GET', `/api/v1/collections/${ids.COLLECTION}`)).toMatchObject({
      name: 'Secrets',
      documentCount: 3,
    });
    expect(await first.ok('GET', `/api/v1/connectors/${ids.CONNECTOR}`)).toMatchObject({ name: 'Files' });
    expect(await first.ok('GET', `/api/v1/agents/${ids.AGENT}`)).toMatchObject({ name: 'Helper' });
    expect(await first.ok('GET', `/api/v1/api-keys/${ids.KEY}`)).toMatchObject({ name: 'scoped', revokedAt: null });
  });
});
