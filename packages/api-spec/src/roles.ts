/** The roles of people, each with the rights of the ones before it. */
export const ROLES = ['member', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** True if `role` has the rights of `least`. Null: an operation that no person can call. */
export const hasRole = (role: Role, least: Role | null): boolean =>
  least !== null && ROLES.indexOf(role) >= ROLES.indexOf(least);

/** What a secret key may do. */
export const RIGHTS = [
  'search',
  'chat',
  'documents:read',
  'documents:write',
  'connectors',
  'agents',
  'analytics',
  'keys',
] as const;

export type Right = (typeof RIGHTS)[number];

/** The rights that a user token can have. */
export const TOKEN_RIGHTS = ['search', 'chat'] as const satisfies readonly Right[];

export type TokenRight = (typeof TOKEN_RIGHTS)[number];

/**
 * What an app that a person connects (OAuth) can be allowed: the rights that the tools of MCP need. Its
 * scopes have the same names.
 */
export const APP_SCOPES = ['search', 'documents:read', 'chat'] as const satisfies readonly Right[];

export type AppScope = (typeof APP_SCOPES)[number];

/** Who may call an operation. */
export interface OperationAccess {
  /**
   * The least role of a signed-in person. Null: needs a key. `owner` is not in the table, because
   * owners differ from admins in whom they may manage.
   */
  readonly role: Exclude<Role, 'owner'> | null;
  /** The right of a secret key. Null: every key may call it. */
  readonly right: Right | null;
  /** True if publishable keys may call it. */
  readonly publishable: boolean;
  /** True if user tokens may call it, with the right `tokenRightOf`. */
  readonly userToken: boolean;
  /** True if connected apps may call it. Their tokens are for MCP only. */
  readonly app: boolean;
  /**
   * True if a key also needs all rights and no limit on addresses: the operation gives access to an
   * account, which could do more than the key, or changes what usage may cost.
   */
  readonly wholeKey: boolean;
}

type Access = readonly [OperationAccess['role'], OperationAccess['right'], Partial<OperationAccess>?];

/** For web pages: publishable keys and user tokens may call it too. */
const WEB = { publishable: true, userToken: true };
/** For web pages of a known user: user tokens may call it too. */
const USER = { userToken: true };
const WHOLE_KEY = { wholeKey: true };

/**
 * The access of each operation that needs a caller. The gateway, the OpenAPI document and the tests
 * use it. A request for an end user (X-Service-User) has the rights of a member: it may change
 * something only if that concerns the end user alone.
 */
const TABLE: Readonly<Record<string, Access>> = {
  getOwnKey: ['member', null, WEB],
  listApiKeys: ['admin', 'keys'],
  createApiKey: ['admin', 'keys'],
  getApiKey: ['admin', 'keys'],
  updateApiKey: ['admin', 'keys'],
  rotateApiKey: ['admin', 'keys'],
  revokeApiKey: ['admin', 'keys'],
  // A token is bound to the key that creates it and never does more, so it needs no right to manage keys.
  createUserToken: [null, 'search'],
  listPeople: ['admin', 'keys'],
  getPerson: ['admin', 'keys'],
  updatePerson: ['admin', 'keys', WHOLE_KEY],
  createPasswordReset: ['admin', 'keys', WHOLE_KEY],
  listPersonSessions: ['admin', 'keys'],
  endPersonSessions: ['admin', 'keys'],
  listInvitations: ['admin', 'keys'],
  createInvitation: ['admin', 'keys', WHOLE_KEY],
  deleteInvitation: ['admin', 'keys'],
  listIdentityProviders: ['admin', 'keys'],
  createIdentityProvider: ['admin', 'keys', WHOLE_KEY],
  getIdentityProvider: ['admin', 'keys'],
  updateIdentityProvider: ['admin', 'keys', WHOLE_KEY],
  deleteIdentityProvider: ['admin', 'keys', WHOLE_KEY],
  listSlackApps: ['admin', 'keys'],
  createSlackApp: ['admin', 'keys', WHOLE_KEY],
  getSlackApp: ['admin', 'keys'],
  updateSlackApp: ['admin', 'keys', WHOLE_KEY],
  deleteSlackApp: ['admin', 'keys'],
  testSlackApp: ['admin', 'keys'],
  postSlackMessage: ['admin', 'keys'],
  getSlackManifest: ['admin', 'keys'],
  listGroups: ['admin', 'keys'],
  createGroup: ['admin', 'keys', WHOLE_KEY],
  getGroup: ['admin', 'keys'],
  updateGroup: ['admin', 'keys', WHOLE_KEY],
  deleteGroup: ['admin', 'keys', WHOLE_KEY],
  listGroupMembers: ['admin', 'keys'],
  addGroupMember: ['admin', 'keys', WHOLE_KEY],
  removeGroupMember: ['admin', 'keys', WHOLE_KEY],
  listScimTokens: ['admin', 'keys'],
  createScimToken: ['admin', 'keys', WHOLE_KEY],
  deleteScimToken: ['admin', 'keys'],
  getBranding: ['member', null],
  updateBranding: ['admin', 'keys'],
  // The account of the signed-in person. Keys have none.
  getAccount: ['member', null],
  updateAccount: ['member', null],
  addPassword: ['member', null],
  startPasskey: ['member', null],
  addPasskey: ['member', null],
  deletePasskey: ['member', null],
  listOwnSessions: ['member', null],
  endOwnSession: ['member', null],
  endOwnSessions: ['member', null],
  checkAppRequest: ['member', null],
  answerAppRequest: ['member', null],
  listOwnApps: ['member', null],
  disconnectOwnApp: ['member', null],
  listApps: ['admin', 'keys'],
  disconnectApp: ['admin', 'keys'],
  listAudit: ['admin', 'keys'],
  exportAudit: ['admin', 'keys'],
  recordAnalyticsEvents: ['member', 'analytics'],
  listAnalyticsEvents: ['admin', 'analytics'],
  getUsage: ['admin', 'analytics'],
  getUsageBreakdown: ['admin', 'analytics'],
  listBudgets: ['admin', 'keys'],
  getBudget: ['admin', 'keys'],
  setBudget: ['admin', 'keys', WHOLE_KEY],
  deleteBudget: ['admin', 'keys', WHOLE_KEY],
  listModelPrices: ['admin', 'keys'],
  setModelPrices: ['admin', 'keys', WHOLE_KEY],
  listModelEndpoints: ['admin', 'keys'],
  createModelEndpoint: ['admin', 'keys', WHOLE_KEY],
  testModelEndpoint: ['admin', 'keys', WHOLE_KEY],
  getModelEndpoint: ['admin', 'keys'],
  updateModelEndpoint: ['admin', 'keys', WHOLE_KEY],
  deleteModelEndpoint: ['admin', 'keys', WHOLE_KEY],
  getModelSettings: ['admin', 'keys'],
  updateModelSettings: ['admin', 'keys', WHOLE_KEY],
  getRetention: ['admin', 'keys'],
  updateRetention: ['admin', 'keys'],
  // A key also needs the rights for the events themselves: see the gateway's src/webhooks/creators.ts.
  listWebhooks: ['admin', 'keys'],
  createWebhook: ['admin', 'keys'],
  getWebhook: ['admin', 'keys'],
  updateWebhook: ['admin', 'keys'],
  deleteWebhook: ['admin', 'keys'],
  rotateWebhookSecret: ['admin', 'keys'],
  testWebhook: ['admin', 'keys'],
  listDeliveries: ['admin', 'keys'],
  getDelivery: ['admin', 'keys'],
  replayDelivery: ['admin', 'keys'],
  getSearchAnalytics: ['admin', 'analytics'],
  listSearchQueries: ['admin', 'analytics'],
  listQuestions: ['admin', 'chat'],
  updateQuestion: ['admin', 'chat'],

  searchDocuments: ['member', 'search', WEB],
  searchFaceted: ['member', 'search', WEB],
  searchDocsSite: ['member', 'search', WEB],
  suggestQueries: ['member', 'search', USER],
  recordSearchClick: ['member', 'search', WEB],
  // Each of its tools needs a right of its own: see the gateway's src/mcp/tools.
  mcp: ['member', null, { app: true }],

  // The OpenAI-compatible API.
  createChatCompletion: ['member', 'chat', USER],
  createResponse: ['member', 'chat', USER],
  getResponse: ['member', 'chat', USER],
  deleteResponse: ['member', 'chat', USER],
  listOpenAiModels: ['member', 'chat', USER],
  getOpenAiModel: ['member', 'chat', USER],
  createEmbeddings: ['member', 'search'],

  chat: ['member', 'chat', USER],
  streamChat: ['member', 'chat', USER],
  regenerate: ['member', 'chat', USER],
  streamRegenerate: ['member', 'chat', USER],
  listModels: ['member', 'chat', USER],
  listConversations: ['member', 'chat', USER],
  getConversation: ['member', 'chat', USER],
  updateConversation: ['member', 'chat', USER],
  deleteConversation: ['member', 'chat', USER],
  giveFeedback: ['member', 'chat', USER],
  deleteFeedback: ['member', 'chat', USER],
  getSuggestions: ['member', 'chat', USER],
  listTestCases: ['editor', 'chat'],
  createTestCase: ['editor', 'chat'],
  importTestCases: ['editor', 'chat'],
  exportTestCases: ['editor', 'chat'],
  getTestCase: ['editor', 'chat'],
  updateTestCase: ['editor', 'chat'],
  deleteTestCase: ['editor', 'chat'],
  startTestRun: ['editor', 'chat'],
  listTestRuns: ['editor', 'chat'],
  getTestRun: ['editor', 'chat'],
  cancelTestRun: ['editor', 'chat'],
  listTestResults: ['editor', 'chat'],
  getTestSchedule: ['editor', 'chat'],
  setTestSchedule: ['editor', 'chat'],

  listAgents: ['member', 'agents'],
  createAgent: ['editor', 'agents'],
  getAgent: ['member', 'agents'],
  updateAgent: ['editor', 'agents'],
  deleteAgent: ['editor', 'agents'],
  executeAgent: ['member', 'agents'],
  listRuns: ['member', 'agents'],
  getRun: ['member', 'agents'],
  cancelRun: ['member', 'agents'],
  listApprovals: ['member', 'agents'],
  listWaitingApprovals: ['member', 'agents'],
  decideApproval: ['member', 'agents'],
  // Webhooks, Slack channels and other people as targets need the role or right to manage them.
  listSchedules: ['editor', 'agents'],
  createSchedule: ['editor', 'agents'],
  getSchedule: ['editor', 'agents'],
  updateSchedule: ['editor', 'agents'],
  deleteSchedule: ['editor', 'agents'],
  startSchedule: ['editor', 'agents'],
  listScheduleRuns: ['editor', 'agents'],
  listToolServers: ['editor', 'agents'],
  createToolServer: ['editor', 'agents'],
  getToolServer: ['editor', 'agents'],
  updateToolServer: ['editor', 'agents'],
  deleteToolServer: ['editor', 'agents'],
  refreshTools: ['editor', 'agents'],
  testToolServer: ['editor', 'agents'],
  listServerTools: ['editor', 'agents'],
  updateServerTool: ['editor', 'agents'],
  listOutsideTools: ['editor', 'agents'],
  listTemplates: ['member', 'agents'],
  getTemplate: ['member', 'agents'],
  createFromTemplate: ['editor', 'agents'],
  listMemories: ['member', 'agents'],
  createMemory: ['editor', 'agents'],
  searchMemories: ['member', 'agents'],
  getMemory: ['member', 'agents'],
  updateMemory: ['editor', 'agents'],
  deleteMemory: ['editor', 'agents'],

  listCollections: ['member', 'documents:read', WEB],
  createCollection: ['editor', 'documents:write'],
  getCollection: ['member', 'documents:read', WEB],
  updateCollection: ['editor', 'documents:write'],
  deleteCollection: ['editor', 'documents:write'],
  refreshCollectionStats: ['editor', 'documents:write'],
  listSearchModels: ['admin', 'documents:write'],
  useSearchModel: ['admin', 'documents:write'],
  listSearchRules: ['editor', 'documents:write'],
  createSearchRule: ['editor', 'documents:write'],
  importSearchRules: ['editor', 'documents:write'],
  exportSearchRules: ['editor', 'documents:write'],
  getSearchRule: ['editor', 'documents:write'],
  updateSearchRule: ['editor', 'documents:write'],
  deleteSearchRule: ['editor', 'documents:write'],
  listSynonyms: ['editor', 'documents:write'],
  createSynonym: ['editor', 'documents:write'],
  importSynonyms: ['editor', 'documents:write'],
  exportSynonyms: ['editor', 'documents:write'],
  listSynonymPacks: ['editor', 'documents:write'],
  updateSynonymPack: ['editor', 'documents:write'],
  getSynonym: ['editor', 'documents:write'],
  updateSynonym: ['editor', 'documents:write'],
  deleteSynonym: ['editor', 'documents:write'],

  listDocuments: ['member', 'documents:read'],
  createDocument: ['editor', 'documents:write'],
  createDocuments: ['editor', 'documents:write'],
  getDocument: ['member', 'documents:read', WEB],
  deleteDocument: ['editor', 'documents:write'],
  getDocumentContent: ['member', 'documents:read', WEB],
  getDocumentSummary: ['member', 'documents:read', WEB],
  getDocumentPages: ['member', 'documents:read', WEB],
  getPageImage: ['member', 'documents:read', WEB],

  listConnectors: ['member', 'connectors'],
  createConnector: ['editor', 'connectors'],
  getConnector: ['member', 'connectors'],
  updateConnector: ['editor', 'connectors'],
  deleteConnector: ['editor', 'connectors'],
  testConnector: ['editor', 'connectors'],
  testSettings: ['editor', 'connectors'],
  listSyncJobs: ['member', 'connectors'],
  startSync: ['editor', 'connectors'],
  getSyncJob: ['member', 'connectors'],
  cancelSync: ['editor', 'connectors'],
  watchSync: ['member', 'connectors'],
  refreshPermissions: ['editor', 'connectors'],
  listConnectorDocuments: ['member', 'connectors'],
  getConnectorDocument: ['member', 'connectors'],
  deleteConnectorDocument: ['editor', 'connectors'],
  listFiles: ['editor', 'connectors'],
  deleteFiles: ['editor', 'connectors'],
  uploadFiles: ['editor', 'connectors'],
  // A pushed item shows its principals, as a file of an upload does.
  listItems: ['editor', 'connectors'],
  pushItems: ['editor', 'connectors'],
  getItem: ['editor', 'connectors'],
  deleteItem: ['editor', 'connectors'],
  startSnapshot: ['editor', 'connectors'],
  getSnapshot: ['editor', 'connectors'],
  completeSnapshot: ['editor', 'connectors'],
  cancelSnapshot: ['editor', 'connectors'],
  initOAuth: ['editor', 'connectors'],
};

/** The operations of the table. */
export const OPERATIONS_WITH_ACCESS: readonly string[] = Object.keys(TABLE);

/** Returns who may call an operation. Throws for an operation without a row. */
export function accessOf(operationId: string): OperationAccess {
  const access = Object.hasOwn(TABLE, operationId) ? TABLE[operationId] : undefined;
  if (access === undefined) throw new TypeError(`${operationId} has no row in the table of access`);
  const [role, right, more] = access;
  return { role, right, publishable: false, userToken: false, app: false, wholeKey: false, ...more };
}

/** Returns the least role that may call an operation. Throws for an operation without a row. */
export const leastRole = (operationId: string): OperationAccess['role'] => accessOf(operationId).role;

/** Returns the right that a user token needs for an operation; null if every token may call it. */
export function tokenRightOf({ right }: OperationAccess): TokenRight | null {
  if (right === null) return null;
  return right === 'chat' ? 'chat' : 'search';
}
