import type { OperationSpec } from '@lectern/api-spec';
import { operations } from '#operations/table';
import type { SendInit } from './gateway.ts';
import { issuer } from './issuer.ts';
import { SAMPLE, type TestPerson } from './people.ts';
import { KNOWN } from './records.ts';

/** A valid JSON body for each operation. */
export const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createApiKey: { name: 'Website' },
  updateApiKey: { name: 'Website' },
  rotateApiKey: { overlapSeconds: 60 },
  createUserToken: { user: 'ada@example.com' },
  signIn: { email: SAMPLE.email, password: SAMPLE.password },
  changePassword: { email: SAMPLE.email, password: SAMPLE.password, newPassword: SAMPLE.password },
  signInWithPasskey: {
    credentialId: 'AAAA',
    clientDataJSON: 'AAAA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    userHandle: 'AAAA',
  },
  startLinkPasskey: { token: SAMPLE.linkToken },
  updateBranding: { name: 'Acme Answers', accent: '#0f766e' },
  updateAccount: { name: 'Ada Lovelace', language: 'de' },
  addPassword: { password: SAMPLE.password },
  addPasskey: { name: 'Laptop', clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  openAccountLink: { token: SAMPLE.linkToken },
  useAccountLink: { token: SAMPLE.linkToken, password: SAMPLE.password },
  checkAppRequest: { request: SAMPLE.appRequest },
  // The person who calls is another one.
  answerAppRequest: { request: SAMPLE.appRequest, personId: KNOWN.person, approve: true },
  updatePerson: { name: 'Grace Hopper' },
  createInvitation: { email: 'mary@example.com' },
  createScimToken: { name: 'Okta', provider: 'okta' },
  createGroup: { name: SAMPLE.newGroup },
  updateGroup: { role: 'editor' },
  createIdentityProvider: {
    name: 'Sample',
    slug: SAMPLE.newProvider,
    issuer,
    clientId: 'lectern',
    clientSecret: 'the-secret-of-the-client',
  },
  updateIdentityProvider: { domains: ['example.com'] },
  createSlackApp: {
    name: SAMPLE.newSlackApp,
    transport: 'http',
    botToken: 'xoxb-sample',
    signingSecret: '0123456789abcdef0123456789abcdef',
  },
  updateSlackApp: { channels: ['C0SAMPLE'] },
  postSlackMessage: { channel: 'C0SAMPLE', text: 'Hello' },
  setBudget: { hardTokens: 1_000_000 },
  setModelPrices: { prices: [{ model: 'gpt-4.1-mini', inputPerMillion: 0.4, outputPerMillion: 1.6 }] },
  createWebhook: { url: 'https://example.com/lectern', events: [] },
  updateWebhook: { description: 'Website' },
  rotateWebhookSecret: {},
  testWebhook: {},
  replayDelivery: {},
  updateRetention: { conversations: 180 },
  recordAnalyticsEvents: { name: 'opened' },
  searchDocuments: { query: 'leave' },
  searchFaceted: { facets: ['source'] },
  searchDocsSite: { query: 'leave' },
  recordSearchClick: { queryId: KNOWN.search, rank: 1 },
  chat: { message: 'How many days of leave?' },
  streamChat: { message: 'How many days of leave?' },
  regenerate: {},
  streamRegenerate: {},
  updateConversation: { title: 'Leave in 2027', shared: true },
  giveFeedback: { rating: 'down', reason: 'outdated', comment: 'It changed in May.' },
  createAgent: { name: 'Helper', systemPrompt: 'You help.' },
  updateAgent: { name: 'Helper' },
  executeAgent: { message: 'How many days of leave?' },
  decideApproval: { decision: 'approve' },
  createSchedule: { name: 'Morning report', message: 'What changed?', cron: '0 7 * * 1-5' },
  updateSchedule: { enabled: false },
  createToolServer: { name: 'CRM', slug: 'crm', kind: 'mcp', url: 'https://crm.example.com/mcp' },
  updateToolServer: { name: 'CRM' },
  updateServerTool: { enabled: false },
  createModelEndpoint: {
    name: 'Ollama',
    provider: 'openai',
    url: 'https://ollama.example.com/v1',
    models: [{ id: 'llama-3' }],
  },
  updateModelEndpoint: { name: 'Ollama' },
  testModelEndpoint: { provider: 'openai', url: 'https://ollama.example.com/v1' },
  updateModelSettings: { defaultModel: 'llama-3' },
  createFromTemplate: { variables: { product: 'Acme' } },
  createMemory: { content: 'The user prefers short answers.' },
  updateMemory: { importance: 1 },
  createCollection: { name: 'Handbook' },
  updateCollection: { name: 'Handbook' },
  updateQuestion: { done: true },
  createTestCase: { question: 'How many days of leave?', texts: ['30 days'] },
  updateTestCase: { texts: ['31 days'] },
  importTestCases: { text: '{"question":"How many days of leave?"}' },
  setTestSchedule: { enabled: true, time: '06:00', timeZone: 'Europe/Berlin' },
  createSearchRule: {
    query: 'annual leave',
    pins: [{ documentId: KNOWN.document, position: 1 }],
    collection: KNOWN.collection,
  },
  updateSearchRule: { enabled: false },
  importSearchRules: {
    rules: [{ query: 'annual leave', hides: [KNOWN.document] }],
    collection: KNOWN.collection,
  },
  suggestQueries: { query: 'annual' },
  createSynonym: { terms: ['PTO', 'paid time off'], collection: KNOWN.collection },
  updateSynonym: { enabled: false },
  importSynonyms: { text: 'PTO, paid time off', collection: KNOWN.collection },
  updateSynonymPack: { enabled: false },
  createDocument: { title: 'Leave', content: 'Thirty days.' },
  createDocuments: { documents: [{ title: 'Leave', content: 'Thirty days.' }] },
  createConnector: { name: 'Files', type: 'upload', collection: KNOWN.collection },
  updateConnector: { name: 'Files' },
  startSync: { sync_mode: 'auto' },
  testSettings: { type: 'upload' },
  initOAuth: { provider: 'notion', name: 'Wiki', collection: KNOWN.collection },
  deleteFiles: { files: ['hr/leave.pdf'] },
  pushItems: { items: [{ action: 'put', id: 'hr/leave', revision: 7, title: 'Leave', content: 'Thirty days.' }] },
};

/**
 * The status of a sample request that cannot succeed: it needs an authenticator and an address for
 * passkeys (tests/passkeys.test.ts), or a record of the person who calls.
 */
export const SAMPLE_STATUS: Readonly<Record<string, number>> = {
  startPasskeySignIn: 409,
  signInWithPasskey: 409,
  startLinkPasskey: 409,
  startPasskey: 409,
  addPasskey: 409,
  deletePasskey: 404,
  endOwnSession: 404,
  answerAppRequest: 409,
  disconnectOwnApp: 404,
};

const RESOURCES: readonly (readonly [RegExp, string])[] = [
  [/\{documentId\}/, KNOWN.document],
  [/\{jobId\}/, KNOWN.job],
  [/\{snapshotId\}/, KNOWN.snapshot],
  [/\{itemId\}/, 'hr%2Fleave'],
  [/\{memoryId\}/, KNOWN.memory],
  [/\{runId\}/, KNOWN.run],
  [/\{approvalId\}/, KNOWN.approval],
  [/\{scheduleId\}/, KNOWN.schedule],
  [/\{toolName\}/, 'crm__find_customer'],
  [/(?<=\/tool-servers\/)\{id\}/, KNOWN.toolServer],
  [/(?<=\/model-endpoints\/)\{id\}/, KNOWN.modelEndpoint],
  [/\{messageId\}/, KNOWN.message],
  [/\{templateId\}/, KNOWN.template],
  [/(?<=\/agent-templates\/)\{id\}/, KNOWN.template],
  [/\{provider\}/, 'notion'],
  [/(?<=\/api-keys\/)\{id\}/, KNOWN.key],
  [/(?<=\/people\/)\{id\}/, KNOWN.person],
  [/(?<=\/groups\/)\{id\}/, KNOWN.group],
  [/\{personId\}/, KNOWN.person],
  [/(?<=\/passkeys\/)\{id\}/, KNOWN.passkey],
  [/(?<=\/sessions\/)\{id\}/, KNOWN.session],
  [/(?<=\/budgets\/)\{id\}/, KNOWN.person],
  [/(?<=\/apps\/)\{id\}/, KNOWN.app],
  [/(?<=\/scim-tokens\/)\{id\}/, KNOWN.scimToken],
  [/(?<=\/webhooks\/)\{id\}/, KNOWN.webhook],
  [/\{deliveryId\}/, KNOWN.delivery],
  [/(?<=\/invitations\/)\{id\}/, KNOWN.invitation],
  [/(?<=\/identity-providers\/)\{id\}/, KNOWN.identityProvider],
  [/(?<=\/slack-apps\/)\{id\}/, KNOWN.slackApp],
  [/(?<=\/collections\/)\{id\}/, KNOWN.collection],
  [/(?<=\/search-models\/)\{id\}/, 'small-english'],
  [/(?<=\/search-rules\/)\{id\}/, KNOWN.searchRule],
  [/(?<=\/synonyms\/)\{id\}/, KNOWN.synonym],
  [/(?<=\/packs\/)\{name\}/, 'workplace-en'],
  [/(?<=\/documents\/)\{id\}/, KNOWN.document],
  [/(?<=\/connectors\/)\{id\}/, KNOWN.connector],
  [/(?<=\/agents\/)\{id\}/, KNOWN.agent],
  [/(?<=\/conversations\/)\{id\}/, KNOWN.conversation],
  [/(?<=\/questions\/)\{id\}/, KNOWN.message],
  [/(?<=\/test-cases\/)\{id\}/, KNOWN.testCase],
  [/(?<=\/test-runs\/)\{id\}/, KNOWN.testRun],
];

/** Returns the query of paths that require one. */
const queryOf = (path: string, teamId: string): string => {
  if (path.endsWith('/memories/search')) return '?query=answers';
  return path.startsWith('/api/v1/oauth/callback/') ? `?state=${teamId}.0123456789abcdef&code=code` : '';
};

/** Returns the path of an operation with known ids. */
export function samplePath(path: string, teamId: string): string {
  const withIds = RESOURCES.reduce((text, [name, id]) => text.replace(name, id), path.replace('{teamId}', teamId));
  return `${withIds}${queryOf(path, teamId)}`;
}

function uploadForm(): FormData {
  const form = new FormData();
  form.append('files', new File(['Thirty days.'], 'leave.txt', { type: 'text/plain' }));
  return form;
}

/** Returns a valid request for an operation. */
export function sampleInit(operationId: string): SendInit {
  if (operationId === 'uploadFiles') return { body: uploadForm() };
  const json = BODIES[operationId];
  return json === undefined ? {} : { json };
}

/** The caller of an operation: a person for operations on an account, otherwise the default key. */
export const callerOf = ({ isForPeople }: OperationSpec, { headers }: TestPerson) =>
  isForPeople === true ? { key: null, headers } : { headers: {} };

/** All operations with their names, for `it.each`. */
export const TABLE = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
