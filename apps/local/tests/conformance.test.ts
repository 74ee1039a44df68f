import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthenticator, createTestBrowser, textPdf, waitUntil } from '@lectern/testing';
import { startOpenIdProvider } from '@lectern/testing/openid-provider';
import { createDriver, type Driven, type Driver, type DriverRequest } from './conformance/driver.ts';
import {
  bucketOf,
  MODEL,
  OWN_MODEL,
  PUBLIC_URL,
  REFUND,
  SILENCE,
  startSystem,
  type TestSystem,
} from './conformance/system.ts';
import type { Json } from './support/api.ts';

const WAIT = { timeoutMs: 240_000, what: 'the expected state' };

let system: TestSystem;
let driver: Driver;
beforeAll(async () => {
  system = await startSystem();
  driver = await createDriver(system.lectern);
});
afterAll(() => system?.stop());

const drive = (operationId: string, request?: DriverRequest): Promise<Driven> => driver.drive(operationId, request);
const remember = (name: string, { data }: Driven, field = 'id') => void driver.ids.set(name, data[field]);
const id = (name: string): string => String(driver.ids.get(name));
const all = async (...operations: readonly string[]) => {
  for (const operation of operations) await drive(operation);
};
/** Reads a record twice, the second time with its ETag: 200, then 304. */
const readTwice = async (operation: string) => {
  const { headers } = await drive(operation);
  const again = { 'If-None-Match': String(headers.get('etag')) };
  expect((await drive(operation, { headers: again })).status).toBe(304);
};
const question = 'How many days of leave are there?';

/** Polls with GET, and checks each response against the document. */
const until = (operationId: string, request: DriverRequest, isDone: (data: Json) => boolean) =>
  waitUntil(async () => isDone((await drive(operationId, request)).data), WAIT);

describe('a complete system, called according to its OpenAPI document,', () => {
  it('returns the documented responses for pages and health', async () => {
    await all('getHealth', 'getReadiness', 'getWidget', 'getWidgetAsk', 'getOpenApi');
    for (const operation of ['getWidget', 'getWidgetAsk', 'getOpenApi']) {
      const { headers } = await drive(operation);
      const again = { 'If-None-Match': String(headers.get('etag')), 'Cache-Control': 'max-age=0' };
      expect((await drive(operation, { headers: again })).status).toBe(304);
    }
    // At a first start the console can still be building.
    await waitUntil(async () => (await drive('getConsole')).status === 200, WAIT);
    await drive('getReference');
  });

  it('returns the documented responses for keys', async () => {
    await drive('getOwnKey');
    remember('api-keys', await drive('createApiKey', { body: { name: 'Website', allowed_hosts: ['example.com'] } }));
    await all('listApiKeys');
    await readTwice('getApiKey');
    await drive('updateApiKey', { body: { rate_limit_per_minute: 600 } });
    await drive('rotateApiKey', { body: { overlapSeconds: 60 } });
    await drive('createUserToken', { body: { user: 'ada@example.com', filters: { author: 'Ada' } } });
  });

  it('returns the documented responses for people, invitations and sessions', async () => {
    const own = { key: null };
    const [email, password] = ['ada@example.com', 'a long enough sentence'];
    const invited = await drive('createInvitation', { body: { email, role: 'editor' } });
    remember('invitations', await drive('createInvitation', { body: { email: 'grace@example.com' } }));
    const token = String(invited.data.url).split('#')[1];
    await drive('openAccountLink', { ...own, body: { token } });
    const used = await drive('useAccountLink', { ...own, body: { token, name: 'Ada', password } });
    driver.ids.set('people', used.data.person.id);
    await drive('signIn', { ...own, body: { email, password } });
    const cookie = (
      await drive('changePassword', { ...own, body: { email, password, newPassword: 'another sentence' } })
    ).headers.get('set-cookie');
    const headers = { Cookie: String(cookie).split(';')[0]! };
    expect((await drive('getOwnKey', { key: null, headers })).data.person.email).toBe(email);
    await drive('signOut', { key: null, headers });
    await readTwice('getPerson');
    await all('listPeople', 'listPersonSessions', 'createPasswordReset', 'endPersonSessions');
    await drive('updatePerson', { body: { role: 'member' } });
    await all('listInvitations', 'deleteInvitation');
  });

  it('returns the documented responses for groups and SCIM tokens', async () => {
    remember('scim-tokens', await drive('createScimToken', { body: { name: 'Okta', provider: 'okta' } }));
    await all('listScimTokens', 'deleteScimToken');
    remember('groups', await drive('createGroup', { body: { name: 'Support team', role: 'editor' } }));
    const personId = driver.ids.get('people')!;
    await drive('addGroupMember', { path: { personId } });
    await all('listGroups', 'getGroup', 'listGroupMembers');
    await drive('updateGroup', { body: { role: null } });
    await drive('removeGroupMember', { path: { personId } });
    await drive('deleteGroup');
  });

  it('returns the documented responses for accounts and passkeys', async () => {
    const email = 'mary@example.com';
    const authenticator = createAuthenticator(PUBLIC_URL);
    const invited = await drive('createInvitation', { body: { email } });
    const link = { token: String(invited.data.url).split('#')[1], name: 'Mary' };
    const start = await drive('startLinkPasskey', { key: null, body: link });
    const credential = authenticator.create(start.data.options);
    const passkey = { ...credential.created, name: 'Laptop' };
    await drive('useAccountLink', { key: null, body: { ...link, passkey } });
    const challenge = await drive('startPasskeySignIn', { key: null });
    const cookieOf = ({ headers }: Driven) => ({ Cookie: String(headers.get('set-cookie')).split(';')[0] ?? '' });
    const body = credential.sign(challenge.data.options);
    const own = {
      key: null,
      headers: cookieOf(await drive('signInWithPasskey', { key: null, headers: cookieOf(challenge), body })),
    };
    await drive('getAccount', own);
    await drive('updateAccount', { ...own, body: { name: 'Mary Shelley' } });
    await drive('addPassword', { ...own, body: { password: 'a long enough sentence' } });
    const { options } = (await drive('startPasskey', own)).data;
    const added = await drive('addPasskey', {
      ...own,
      body: { ...authenticator.create(options).created, name: 'Phone' },
    });
    await drive('deletePasskey', { ...own, path: { id: added.data.id } });
    await drive('signIn', { key: null, body: { email, password: 'a long enough sentence' } });
    const sessions: readonly Json[] = (await drive('listOwnSessions', own)).data;
    const other = sessions.find(({ isCurrent }) => !isCurrent);
    await drive('endOwnSession', { ...own, path: { id: other.id } });
    await drive('endOwnSessions', own);
  });

  it('returns the documented responses for identity providers', async () => {
    const provider = await startOpenIdProvider();
    try {
      const { issuer, clientId, clientSecret } = provider;
      const body = { name: 'Acme login', slug: 'acme', issuer, clientId, clientSecret };
      const created = await drive('createIdentityProvider', { body });
      remember('identity-providers', created);
      remember('sign-in', created);
      provider.register(created.data);
      await all('listIdentityProviders', 'getIdentityProvider');
      await drive('updateIdentityProvider', { body: { domains: ['example.com'] } });
      await drive('listSignInProviders', { key: null });
      await drive('getSignInBranding', { key: null });

      const [subject, email] = ['jane', 'jane@example.com'];
      provider.people.set(subject, { email, email_verified: true, name: 'Jane' });
      const started = await drive('startProviderSignIn', { key: null });
      const headers = { Cookie: String(started.headers.get('set-cookie')).split(';')[0]! };
      const browser = createTestBrowser();
      const { url } = await browser.open(String(started.headers.get('location')));
      url.searchParams.set('person', subject);
      const authenticated = await browser.open(url, ({ origin }) => origin === PUBLIC_URL);
      const query = new URL(String(authenticated.headers.get('location'))).search;
      await drive('finishProviderSignIn', { key: null, headers, query });
      const form = new URLSearchParams({ logout_token: provider.logoutToken(subject) });
      expect((await drive('backChannelLogout', { key: null, form })).data).toEqual({ ended: 1 });
      await drive('deleteIdentityProvider');
    } finally {
      await provider.stop();
    }
  });

  it('returns the documented responses for Slack apps', async () => {
    const { model, token } = system.slack;
    const channel = model.addChannel('C0REPORTS', 'reports', { members: ['U0APP'] });
    model.addUser('U0APP', 'Lectern', { bot: true });
    await drive('getSlackManifest');
    const signingSecret = '0123456789abcdef0123456789abcdef';
    const body = { name: 'Slack', transport: 'http', botToken: token, signingSecret, channels: [channel.id] };
    remember('slack-apps', await drive('createSlackApp', { body }));
    await all('listSlackApps', 'getSlackApp', 'testSlackApp');
    await drive('updateSlackApp', { body: { name: 'Acme Slack' } });
    await drive('postSlackMessage', { body: { channel: channel.id, text: '**Report**' } });
    await drive('deleteSlackApp');
  });

  it('returns the documented responses for collections and documents', async () => {
    remember(
      'collections',
      await drive('createCollection', { body: { name: 'Handbook', description: 'How we work' } }),
    );
    const leave = { title: 'Leave', content: 'There are thirty days of leave a year.', metadata: { author: 'Ada' } };
    remember('documents', await drive('createDocument', { body: leave }));
    const batch = await drive('createDocuments', {
      body: { documents: [{ title: 'Trains', content: 'We travel by train.' }, {}] },
    });
    expect(batch.data).toMatchObject({ created: 1, updated: 0, failed: 1 });
    await until('getDocument', {}, ({ status }) => status === 'indexed');
    await drive('updateCollection', { body: { description: 'How we work here' } });
    await all('listCollections', 'refreshCollectionStats');
    await readTwice('getCollection');
    await readTwice('getDocument');
    await all('listDocuments', 'getDocumentContent', 'getDocumentSummary');
  });

  it('returns the documented responses for synonyms', async () => {
    const leave = { terms: ['time away', 'days off'], input: [] };
    remember('synonyms', await drive('createSynonym', { body: leave }));
    await readTwice('getSynonym');
    await drive('updateSynonym', { body: { enabled: false } });
    await drive('importSynonyms', { body: { text: 'kit => laptop' } });
    await all('listSynonyms', 'exportSynonyms', 'listSynonymPacks');
    await drive('updateSynonymPack', { path: { name: 'workplace-de' }, body: { enabled: false } });
  });

  it('returns the documented responses for search rules', async () => {
    const [document] = (await drive('listDocuments')).data;
    const rule = { query: 'annual leave', pins: [{ documentId: document.id, position: 1 }] };
    remember('search-rules', await drive('createSearchRule', { body: rule }));
    await readTwice('getSearchRule');
    await drive('updateSearchRule', { body: { enabled: false } });
    await drive('importSearchRules', { body: { rules: [{ query: 'kit', hides: [document.id], enabled: false }] } });
    await all('listSearchRules', 'exportSearchRules');
  });

  it('returns the documented responses for search models', async () => {
    const { data } = await drive('listSearchModels');
    expect(data[0]).toMatchObject({ id: 'default', state: 'active', embeddingModel: 'builtin-lsi-192' });
    await drive('useSearchModel', { path: { id: 'default' } });
  });

  it('returns the documented responses for search', async () => {
    const found = await drive('searchDocuments', { body: { query: question, filters: { author: 'Ada' } } });
    expect(found.data.results).toHaveLength(1);
    await drive('searchFaceted', { body: { query: 'leave', facets: ['source', 'author', 'updatedAt'] } });
    await drive('searchDocsSite', { body: { query: 'leav' } });
    await drive('suggestQueries', { body: { query: 'leav' } });
    await drive('recordSearchClick', { body: { queryId: found.data.queryId, rank: 1 } });
    await all('getSearchAnalytics', 'listSearchQueries');
  });

  it('returns the documented responses for agents, templates and memories', async () => {
    const agent = { name: 'Helper', systemPrompt: 'You help.', tools: ['search_documents', 'calculate'] };
    remember('agents', await drive('createAgent', { body: agent }));
    await drive('updateAgent', { body: { description: 'Helps' } });
    await all('listAgents');
    await readTwice('getAgent');
    const templates = (await drive('listTemplates')).data;
    driver.ids.set('agent-templates', templates[0].id).set('templateId', templates[0].id);
    const { variables } = (await drive('getTemplate')).data;
    const values = Object.fromEntries(variables.map(({ name }: Json) => [name, 'Acme']));
    await drive('createFromTemplate', { body: { name: 'Sam', variables: values } });
    const memory = { kind: 'fact', content: 'The office closes at six in the evening.' };
    remember('memoryId', await drive('createMemory', { body: memory }));
    expect((await drive('createMemory', { body: memory })).status).toBe(200);
    await drive('updateMemory', { body: { importance: 0.9 } });
    await all('listMemories');
    await readTwice('getMemory');
    await drive('searchMemories', { query: '?query=office' });
  });

  it('returns the documented responses for prices and budgets', async () => {
    const price = { model: MODEL, inputPerMillion: 1, outputPerMillion: 2 };
    await drive('setModelPrices', { body: { prices: [price] } });
    await all('listModelPrices');
    const path = { id: id('people') };
    await drive('setBudget', { path, body: { softTokens: 800_000, hardTokens: 1_000_000, hardCost: 50 } });
    await drive('getBudget', { path });
    await all('listBudgets');
    await drive('deleteBudget', { path });
  });

  it('returns the documented responses for chat, with and without an agent', async () => {
    await drive('listModels');
    for (const more of [{}, { agentId: id('agents'), model: MODEL }]) {
      const body = { message: question, ...more };
      remember('conversations', await drive('chat', { body }), 'conversationId');
      await drive('streamChat', { body: { ...body, conversationId: id('conversations') } });
      await drive('regenerate', { body: {} });
      await drive('streamRegenerate', { body: {} });
    }
    await drive('updateConversation', { body: { title: 'Leave in 2027', shared: true } });
    await all('listConversations', 'getConversation', 'getSuggestions');
  });

  it('returns the documented responses for questions and test cases', async () => {
    const unanswered = 'Which telescope discovered the moons of Neptune?';
    const reply = await drive('chat', { body: { message: unanswered } });
    remember('questions', reply);
    const path = { id: reply.data.conversationId, messageId: reply.data.id };
    await drive('giveFeedback', { path, body: { rating: 'down', reason: 'not_found', comment: 'It was in a memo.' } });
    expect((await drive('listQuestions')).data[0].feedback).toHaveLength(1);
    await drive('deleteFeedback', { path });
    await drive('updateQuestion', { body: { done: true } });
    const testCase = { question: unanswered, expect: 'refusal', messageId: reply.data.id };
    remember('test-cases', await drive('createTestCase', { body: testCase }));
    await drive('updateTestCase', { body: { question: `${unanswered} When?` } });
    await drive('importTestCases', { body: { text: JSON.stringify({ question, texts: ['thirty'] }) } });
    await all('getTestCase', 'listTestCases', 'exportTestCases');
    remember('test-runs', await drive('startTestRun', { body: {} }));
    await until('getTestRun', {}, ({ status }) => status === 'completed');
    await all('listTestRuns', 'listTestResults', 'cancelTestRun', 'getTestSchedule');
    await drive('setTestSchedule', { body: { enabled: false, time: '06:00', timeZone: 'Europe/Berlin' } });
    await drive('deleteTestCase');
  });

  it('returns the documented responses for runs', async () => {
    const { events } = await drive('executeAgent', { body: { message: question, model: MODEL } });
    driver.ids.set('runId', events[0]?.data.runId);
    await all('listRuns', 'getRun');
    const run = drive('executeAgent', { body: { message: SILENCE, model: MODEL } });
    await waitUntil(async () => {
      const running = (await drive('listRuns')).data.find(({ status }: Json) => status === 'running');
      if (running !== undefined) driver.ids.set('runId', running.id);
      return running !== undefined;
    }, WAIT);
    expect((await drive('cancelRun')).data.status).toBe('cancelled');
    expect((await run).status).toBe(200);
  });

  it('returns the documented responses for connectors, files and syncs', async () => {
    const upload = { name: 'Files', type: 'upload', collection: id('collections') };
    remember('connectors', await drive('createConnector', { body: upload }));
    await drive('updateConnector', { body: { name: 'Our files' } });
    await all('listConnectors', 'testConnector');
    await readTwice('getConnector');
    await drive('testSettings', { body: bucketOf(system.s3) });
    const form = new FormData();
    for (const name of ['travel.md', 'bicycles.md']) form.append('files', new Blob(['# Travel\n\nBy train.']), name);
    form.append('files', new Blob([textPdf([['Trains leave every hour.']])]), 'trains.pdf');
    remember('jobId', await drive('uploadFiles', { form }), 'jobId');
    expect((await drive('watchSync')).events.at(-1)?.event).toBe('end');
    await all('getSyncJob', 'listSyncJobs');
    const { documentId } = (await drive('listFiles')).data.find(({ name }: Json) => name === 'trains.pdf');
    const { pages } = (await drive('getDocumentPages', { path: { id: documentId }, query: '?start=0&end=6' })).data;
    expect(pages).toMatchObject([{ page: 1, words: [{ start: 0, end: 6 }] }]);
    await drive('getPageImage', { path: { id: documentId } });
    const [document] = (await drive('listConnectorDocuments')).data;
    driver.ids.set('documentId', document.id);
    await readTwice('getConnectorDocument');
    remember('jobId', await drive('startSync', { body: { sync_mode: 'full' } }), 'jobId');
    await until('getSyncJob', {}, ({ status }) => !['queued', 'running'].includes(status));
    remember('jobId', await drive('refreshPermissions'), 'jobId');
    await until('getSyncJob', {}, ({ status }) => !['queued', 'running'].includes(status));
    const old = await drive('startSync', { body: { force_full_sync: true } });
    expect(old.headers.get('deprecation')).not.toBeNull();
    remember('jobId', old, 'jobId');
    await until('getSyncJob', {}, ({ status }) => !['queued', 'running'].includes(status));
    await drive('deleteConnectorDocument');
    await drive('deleteFiles', { body: { files: ['bicycles.md', 'nothing.md'] } });
  });

  it('returns the documented responses for pushed items and snapshots', async () => {
    const body = { name: 'Wiki', type: 'custom', collection: id('collections') };
    const custom = (await drive('createConnector', { body })).data.id;
    const path = { id: custom, itemId: 'hr/leave' };
    const put = { action: 'put', id: 'hr/leave', revision: 7, title: 'Leave', content: 'Thirty days.' };
    const { jobId } = (await drive('pushItems', { path, body: { items: [put, put, { id: 1 }] } })).data;
    await until('getSyncJob', { path: { id: custom, jobId } }, ({ status }) => !['queued', 'running'].includes(status));
    await drive('listItems', { path });
    expect((await drive('getItem', { path })).data).toMatchObject({ id: 'hr/leave', status: 'indexed' });
    const snapshot = (await drive('startSnapshot', { path })).data.id;
    await drive('getSnapshot', { path: { id: custom, snapshotId: snapshot } });
    await drive('completeSnapshot', { path: { id: custom, snapshotId: snapshot } });
    const second = (await drive('startSnapshot', { path })).data.id;
    await drive('cancelSnapshot', { path: { id: custom, snapshotId: second } });
    await drive('pushItems', { path, body: { items: [{ ...put, revision: 8 }] } });
    await drive('deleteItem', { path });
  });

  it('returns the documented responses for a sync that is watched and cancelled', async () => {
    const body = { name: 'Bucket', collection: id('collections'), ...bucketOf(system.s3) };
    const bucket = (await drive('createConnector', { body })).data.id;
    system.s3.fail(() => ({ kind: 'silence' }));
    const { jobId } = (await drive('startSync', { path: { id: bucket }, body: {} })).data;
    const path = { id: bucket, jobId };
    const started = Promise.withResolvers<void>();
    const watching = drive('watchSync', { path, onBegin: started.resolve });
    await Promise.race([started.promise, watching]);
    await until('getSyncJob', { path }, ({ status }) => status === 'running');
    await drive('cancelSync', { path });
    expect((await watching).events.map(({ event }) => event)).toEqual(expect.arrayContaining(['progress', 'end']));
    system.s3.fail();
    await drive('deleteConnector', { path: { id: bucket } });
  });

  it('returns the documented responses for authorizations', async () => {
    driver.ids.set('provider', 'notion');
    const wiki = { provider: 'notion', name: 'Wiki', collection: id('collections') };
    const started = await drive('initOAuth', { body: wiki });
    const completed = await drive('completeOAuth', {
      query: await system.authorize(started.data.authorizationUrl),
      key: null,
    });
    expect(completed).toMatchObject({ status: 200, data: { status: 'success' } });
    const redirectUri = 'https://lectern.example.com/console/connectors';
    const again = await drive('initOAuth', { body: { ...wiki, name: 'Wiki 2', redirectUri } });
    const query = await system.authorize(again.data.authorizationUrl);
    expect((await drive('completeOAuth', { query, key: null })).status).toBe(302);
  });

  it('returns the documented responses for MCP, events, usage and the audit log', async () => {
    const headers = { Accept: 'application/json, text/event-stream' };
    const params = { name: 'ask', arguments: { question } };
    await drive('mcp', { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await drive('mcp', { headers, body: notification })).status).toBe(202);
    await drive('recordAnalyticsEvents', { body: [{ name: 'opened', properties: { rank: 1 } }] });
    await all('listAnalyticsEvents', 'listAudit', 'exportAudit');
    const { totals } = (await drive('getUsage')).data;
    // Two chats with streams and regenerated replies, one unanswered question, and one MCP call.
    expect(totals).toMatchObject({ searches: 3, chats: 10, agentRuns: 2 });
    expect(totals.promptTokens).toBeGreaterThan(0);
    for (const by of ['model', 'key', 'person']) await drive('getUsageBreakdown', { query: `?by=${by}` });
  });

  it('returns the documented responses for branding', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { logoUrl } = (await drive('updateBranding', { body: { name: 'Acme', logo: pixel } })).data;
    await drive('getLogo', { path: { id: String(logoUrl).split('/').at(-1) ?? '' } });
    await drive('getBranding');
    await drive('updateBranding', { body: { name: null, accent: null, logo: null } });
  });

  it('returns the documented responses for connected apps', async () => {
    const { baseUrl } = system.lectern;
    const [email, password] = ['lise@example.com', 'a long enough sentence'];
    const invited = await drive('createInvitation', { body: { email } });
    const token = String(invited.data.url).split('#')[1];
    const used = await drive('useAccountLink', { key: null, body: { token, name: 'Lise', password } });
    const { headers } = await drive('signIn', { key: null, body: { email, password } });
    const own = { key: null, headers: { Cookie: String(headers.get('set-cookie')).split(';')[0] ?? '' } };
    const redirectUri = 'http://127.0.0.1:33418/callback';
    const registered = await fetch(`${baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Assistant', redirect_uris: [redirectUri] }),
    });
    const { client_id: clientId } = (await registered.json()) as Json;
    const verifier = randomBytes(32).toString('base64url');
    const request = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${PUBLIC_URL}/mcp`,
      scope: 'search',
    }).toString();
    const connect = async () => {
      await drive('checkAppRequest', { ...own, body: { request } });
      const body = { request, personId: used.data.person.id, approve: true };
      const { redirectTo } = (await drive('answerAppRequest', { ...own, body })).data;
      const code = new URL(redirectTo).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri };
      const exchanged = await fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, code_verifier: verifier }),
      });
      expect(exchanged.status).toBe(200);
    };
    await connect();
    const [first] = (await drive('listOwnApps', own)).data;
    await drive('disconnectOwnApp', { ...own, path: { id: first.id } });
    await connect();
    const [second] = (await drive('listApps')).data;
    await drive('disconnectApp', { path: { id: second.id } });
  });

  it('returns the documented responses for webhooks', async () => {
    const endpoint = createServer((message, response) => {
      message.resume();
      response.writeHead(204).end();
    });
    await once(endpoint.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = endpoint.address() as AddressInfo;
      const body = { url: `http://127.0.0.1:${port}/`, events: ['document.indexed'] };
      remember('webhooks', await drive('createWebhook', { body }));
      await all('listWebhooks', 'getWebhook', 'rotateWebhookSecret');
      await drive('updateWebhook', { body: { description: 'Reports' } });
      await drive('testWebhook');
      // Only real events can be replayed.
      await drive('createDocument', { body: { title: 'Bicycles', content: 'We also travel by bicycle.' } });
      await until('listDeliveries', {}, (deliveries: readonly Json[]) => {
        const sent = deliveries.find(({ type }) => type === 'document.indexed');
        if (sent !== undefined) driver.ids.set('deliveryId', sent.id);
        return sent !== undefined;
      });
      await until('getDelivery', {}, ({ status }) => status === 'delivered');
      expect((await drive('replayDelivery')).status).toBe(202);
      await drive('deleteWebhook');
    } finally {
      endpoint.close();
    }
  });

  it('returns the documented responses for schedules', async () => {
    const schedule = { name: 'Report', message: 'Who travels by bicycle?', cron: '0 7 1 1 *', timeZone: 'Asia/Tokyo' };
    remember('scheduleId', await drive('createSchedule', { body: schedule }));
    await readTwice('getSchedule');
    await drive('updateSchedule', { body: { enabled: false } });
    expect((await drive('startSchedule')).status).toBe(202);
    await until('listScheduleRuns', {}, ([run]: readonly Json[]) => run?.status === 'completed');
    await all('listSchedules', 'getSchedule', 'deleteSchedule');
  });

  it('returns the documented responses for tool servers and approvals', async () => {
    const server = { name: 'Shop', slug: 'shop', kind: 'mcp', url: system.tools.url, auth: { type: 'none' } };
    remember('tool-servers', await drive('createToolServer', { body: server }));
    await readTwice('getToolServer');
    await drive('updateToolServer', { body: { name: 'Acme shop' } });
    await all('listToolServers', 'refreshTools', 'testToolServer', 'listOutsideTools');
    const [tool] = (await drive('listServerTools')).data;
    const change = { enabled: true, changesSomething: true, version: tool.version };
    await drive('updateServerTool', { path: { toolName: 'shop__refund' }, body: change });
    await drive('updateAgent', { body: { tools: ['shop__refund'] } });

    /** Starts a stream, and approves the call for which its run waits. */
    const approved = async (operation: string, request: DriverRequest) => {
      const stream = drive(operation, request);
      const approval = await Promise.race([
        stream.then(({ events }) => {
          throw new Error(`${operation} ended without an approval: ${JSON.stringify(events.at(-1))}`);
        }),
        (async () => {
          let pending: Json;
          await waitUntil(async () => {
            const runs: readonly Json[] = (await drive('listRuns')).data;
            const waiting = runs.find(({ pendingApprovals }) => pendingApprovals > 0);
            if (waiting === undefined) return false;
            driver.ids.set('runId', waiting.id);
            pending = (await drive('listApprovals')).data.find(({ status }: Json) => status === 'pending');
            if (pending === undefined) return false;
            expect((await drive('listWaitingApprovals')).data).toMatchObject([{ id: pending.id }]);
            return true;
          }, WAIT);
          return pending;
        })(),
      ]);
      await drive('decideApproval', { path: { approvalId: approval.id }, body: { decision: 'approve' } });
      return stream;
    };
    const body = { message: REFUND, model: MODEL };
    await approved('executeAgent', { body });
    const { events } = await approved('streamChat', { body: { ...body, agentId: id('agents') } });
    driver.ids.set('conversations', events[0]?.data.conversationId);
    await approved('streamRegenerate', { body: {} });
    expect(system.tools.calls).toHaveLength(3);
    await drive('deleteToolServer');
  });

  it('returns the documented responses for model endpoints', async () => {
    const fields = { url: system.modelUrl, models: [{ id: OWN_MODEL, contextWindow: 32_768 }] };
    const tested = await drive('testModelEndpoint', { body: { provider: 'openai', url: system.modelUrl } });
    expect(tested.data).toMatchObject({ success: true, model: MODEL });
    const endpoint = { name: 'Own server', provider: 'openai', ...fields };
    remember('model-endpoints', await drive('createModelEndpoint', { body: endpoint }));
    await readTwice('getModelEndpoint');
    await drive('updateModelEndpoint', { body: { name: 'Own server, renamed' } });
    await drive('updateModelSettings', { body: { defaultModel: OWN_MODEL } });
    await all('listModelEndpoints', 'getModelSettings', 'listModels');
    expect((await drive('chat', { body: { message: 'Hello' } })).data.model).toBe(OWN_MODEL);
    const { events } = await drive('executeAgent', { body: { message: 'Who travels by bicycle?', model: OWN_MODEL } });
    expect(events.at(-1)?.event).toBe('run_complete');
    await drive('updateModelSettings', { body: { defaultModel: null } });
    await drive('deleteModelEndpoint');
  });

  it('returns the documented responses for retention', async () => {
    await drive('updateRetention', { body: { audit: 365 } });
    await all('getRetention');
  });

  it('returns the documented responses for deletions', async () => {
    await all(
      'deleteSynonym',
      'deleteSearchRule',
      'deleteMemory',
      'deleteConversation',
      'deleteDocument',
      'deleteConnector',
      'deleteAgent',
    );
    await all('revokeApiKey', 'deleteCollection');
  });
});

/** Protocols with their own form of requests and errors are tested with their own clients. */
const isProtocol = ({ path }: { readonly path: string }): boolean =>
  /^\/(?:oauth|\.well-known|v1\/(?:chat|responses|models|embeddings))\b/.test(path);

describe('an error', () => {
  it('matches the document for each operation: no key, an unknown id, an invalid body', async () => {
    for (const [operationId, { path, operation }] of driver.operations) {
      if (isProtocol({ path })) continue;
      const names = [...path.matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => String(name))
        .filter((name) => name !== 'teamId');
      const unknown = Object.fromEntries(names.map((name) => [name, 'nothing']));
      const body = operation.requestBody === undefined ? {} : { body: { nonsense: { '': 1 } } };
      const expectRejection = async (status: number, request: DriverRequest) =>
        expect({ operationId, status: (await drive(operationId, request)).status }).toEqual({ operationId, status });
      if (operation.security.length > 0) await expectRejection(401, { ...body, path: unknown, key: null });
      // Names can be any text, unlike ids, so the body is checked before it is known that there is no such pack.
      const valid = operationId === 'updateSynonymPack' ? { body: { enabled: true } } : {};
      // A key is rejected before its input.
      const isForPeople = operation.security.every((scheme: object) => 'session' in scheme);
      if (operation.security.length > 0 && isForPeople) await expectRejection(403, { ...body, path: unknown });
      // Without a state, `completeOAuth` rejects any provider.
      else if (names.length > 0 && operationId !== 'completeOAuth')
        await expectRejection(404, { ...valid, path: unknown });
      else if ('body' in body && operationId !== 'uploadFiles') await expectRejection(400, body);
    }
    await drive('completeOAuth', { query: '?state=nothing', key: null });
  });
});

describe('the document', () => {
  it('is covered completely: every operation, every success, every event, and an error of each', () => {
    const { operations, succeeded, rejected, events } = driver;
    const rejectedOperations = new Set([...rejected].map((name) => name.split(' ')[0]));
    const missing: string[] = [];
    for (const [operationId, { path, operation }] of operations) {
      if (isProtocol({ path })) continue;
      const successes = Object.keys(operation.responses).filter((status) => Number(status) < 400);
      missing.push(...successes.map((status) => `${operationId} ${status}`).filter((name) => !succeeded.has(name)));
      const names = driver.eventsOf(operationId).map((event) => `${operationId} ${event}`);
      missing.push(...names.filter((name) => !events.has(name)));
      if (canReject(operation) && !rejectedOperations.has(operationId)) missing.push(`${operationId} rejected`);
    }
    expect(missing).toEqual([]);
  });
});

/** Pages and health checks need no key and have no input. */
const canReject = ({ security, parameters = [] }: Json): boolean =>
  security.length > 0 || parameters.some(({ in: where }: Json) => where === 'query' || where === 'path');
