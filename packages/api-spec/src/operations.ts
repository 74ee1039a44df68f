import type { OperationSpec } from '#operation';
import * as account from '#operations/account';
import * as agents from '#operations/agents';
import * as analytics from '#operations/analytics';
import * as apiKeys from '#operations/api-keys';
import * as apps from '#operations/apps';
import * as branding from '#operations/branding';
import * as budgets from '#operations/budgets';
import * as chat from '#operations/chat';
import * as collections from '#operations/collections';
import * as connectors from '#operations/connectors';
import * as documents from '#operations/documents';
import * as files from '#operations/files';
import * as groups from '#operations/groups';
import * as health from '#operations/health';
import * as identityProviders from '#operations/identity-providers';
import * as items from '#operations/items';
import * as memories from '#operations/memories';
import * as oauth from '#operations/oauth';
import * as people from '#operations/people';
import * as questions from '#operations/questions';
import * as retention from '#operations/retention';
import * as runs from '#operations/runs';
import * as schedules from '#operations/schedules';
import * as scimTokens from '#operations/scim-tokens';
import * as search from '#operations/search';
import * as searchAnalytics from '#operations/search-analytics';
import * as searchModels from '#operations/search-models';
import * as searchRules from '#operations/search-rules';
import * as sessions from '#operations/sessions';
import * as slackApps from '#operations/slack-apps';
import * as sync from '#operations/sync';
import * as synonyms from '#operations/synonyms';
import * as testCases from '#operations/test-cases';
import * as toolServers from '#operations/tool-servers';
import * as userTokens from '#operations/user-tokens';
import * as webhooks from '#operations/webhooks';

/** All operations of the API, in the order of the reference. */
export const operations: readonly OperationSpec[] = [
  health.getHealth,
  health.getReadiness,

  apiKeys.getOwnKey,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.getApiKey,
  apiKeys.updateApiKey,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,
  userTokens.createUserToken,
  sessions.signIn,
  sessions.startPasskeySignIn,
  sessions.signInWithPasskey,
  sessions.signOut,
  sessions.changePassword,
  sessions.openAccountLink,
  sessions.startLinkPasskey,
  sessions.useAccountLink,
  account.getAccount,
  account.updateAccount,
  account.addPassword,
  account.startPasskey,
  account.addPasskey,
  account.deletePasskey,
  account.listOwnSessions,
  account.endOwnSession,
  account.endOwnSessions,
  apps.checkAppRequest,
  apps.answerAppRequest,
  apps.listOwnApps,
  apps.disconnectOwnApp,
  people.listPeople,
  people.getPerson,
  people.updatePerson,
  people.createPasswordReset,
  people.listPersonSessions,
  people.endPersonSessions,
  people.listInvitations,
  people.createInvitation,
  people.deleteInvitation,
  identityProviders.listIdentityProviders,
  identityProviders.createIdentityProvider,
  identityProviders.getIdentityProvider,
  identityProviders.updateIdentityProvider,
  identityProviders.deleteIdentityProvider,
  identityProviders.listSignInProviders,
  slackApps.listSlackApps,
  slackApps.createSlackApp,
  slackApps.getSlackApp,
  slackApps.updateSlackApp,
  slackApps.deleteSlackApp,
  slackApps.testSlackApp,
  slackApps.postSlackMessage,
  slackApps.getSlackManifest,
  groups.listGroups,
  groups.createGroup,
  groups.getGroup,
  groups.updateGroup,
  groups.deleteGroup,
  groups.listGroupMembers,
  groups.addGroupMember,
  groups.removeGroupMember,
  scimTokens.listScimTokens,
  scimTokens.createScimToken,
  scimTokens.deleteScimToken,
  apps.listApps,
  apps.disconnectApp,
  branding.getBranding,
  branding.updateBranding,
  branding.getSignInBranding,
  analytics.listAudit,
  analytics.exportAudit,
  analytics.recordEvents,
  analytics.listEvents,
  analytics.getUsage,
  analytics.getUsageBreakdown,
  budgets.listBudgets,
  budgets.getBudget,
  budgets.setBudget,
  budgets.deleteBudget,
  budgets.listModelPrices,
  budgets.setModelPrices,
  retention.getRetention,
  retention.updateRetention,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.getDelivery,
  webhooks.replayDelivery,

  search.searchDocuments,
  search.searchFaceted,
  search.searchDocsSite,
  search.suggestQueries,
  searchAnalytics.recordSearchClick,
  searchAnalytics.getSearchAnalytics,
  searchAnalytics.listSearchQueries,

  chat.chat,
  chat.streamChat,
  chat.regenerate,
  chat.streamRegenerate,
  chat.listModels,
  chat.listConversations,
  chat.getConversation,
  chat.deleteConversation,
  chat.giveFeedback,
  chat.deleteFeedback,
  chat.getSuggestions,

  questions.listQuestions,
  questions.updateQuestion,
  testCases.listTestCases,
  testCases.createTestCase,
  testCases.importTestCases,
  testCases.exportTestCases,
  testCases.getTestCase,
  testCases.updateTestCase,
  testCases.deleteTestCase,
  testCases.startTestRun,
  testCases.listTestRuns,
  testCases.getTestRun,
  testCases.cancelTestRun,
  testCases.listTestResults,
  testCases.getTestSchedule,
  testCases.setTestSchedule,

  agents.listAgents,
  agents.createAgent,
  agents.getAgent,
  agents.updateAgent,
  agents.deleteAgent,
  runs.executeAgent,
  runs.listRuns,
  runs.getRun,
  runs.cancelRun,
  runs.listApprovals,
  runs.listWaitingApprovals,
  runs.decideApproval,
  schedules.listSchedules,
  schedules.createSchedule,
  schedules.getSchedule,
  schedules.updateSchedule,
  schedules.deleteSchedule,
  schedules.startSchedule,
  schedules.listScheduleRuns,
  agents.listTemplates,
  agents.getTemplate,
  agents.createFromTemplate,
  toolServers.listToolServers,
  toolServers.createToolServer,
  toolServers.getToolServer,
  toolServers.updateToolServer,
  toolServers.deleteToolServer,
  toolServers.refreshTools,
  toolServers.testToolServer,
  toolServers.listServerTools,
  toolServers.updateServerTool,
  toolServers.listOutsideTools,

  memories.listMemories,
  memories.createMemory,
  memories.searchMemories,
  memories.getMemory,
  memories.updateMemory,
  memories.deleteMemory,

  collections.listCollections,
  collections.createCollection,
  collections.getCollection,
  collections.updateCollection,
  collections.deleteCollection,
  collections.refreshStats,

  searchModels.listSearchModels,
  searchModels.useSearchModel,

  searchRules.listSearchRules,
  searchRules.createSearchRule,
  searchRules.importSearchRules,
  searchRules.exportSearchRules,
  searchRules.getSearchRule,
  searchRules.updateSearchRule,
  searchRules.deleteSearchRule,
  synonyms.listSynonyms,
  synonyms.createSynonym,
  synonyms.importSynonyms,
  synonyms.exportSynonyms,
  synonyms.listSynonymPacks,
  synonyms.updateSynonymPack,
  synonyms.getSynonym,
  synonyms.updateSynonym,
  synonyms.deleteSynonym,

  documents.listDocuments,
  documents.createDocument,
  documents.createDocuments,
  documents.getDocument,
  documents.deleteDocument,
  documents.getDocumentContent,
  documents.getDocumentSummary,

  connectors.listConnectors,
  connectors.createConnector,
  connectors.getConnector,
  connectors.updateConnector,
  connectors.deleteConnector,
  connectors.testConnector,
  connectors.testSettings,

  sync.listSyncJobs,
  sync.startSync,
  sync.getSyncJob,
  sync.cancelSync,
  sync.watchSync,
  sync.refreshPermissions,

  documents.listConnectorDocuments,
  documents.getConnectorDocument,
  documents.deleteConnectorDocument,

  files.listFiles,
  files.deleteFiles,
  items.listItems,
  items.pushItems,
  items.getItem,
  items.deleteItem,
  items.startSnapshot,
  items.getSnapshot,
  items.completeSnapshot,
  items.cancelSnapshot,
  files.uploadFiles,

  oauth.initOAuth,
  oauth.completeOAuth,
];
