import type { OperationSpec } from '#operation';
import * as agents from '#operations/agents';
import * as analytics from '#operations/analytics';
import * as apiKeys from '#operations/api-keys';
import * as chat from '#operations/chat';
import * as collections from '#operations/collections';
import * as connectors from '#operations/connectors';
import * as documents from '#operations/documents';
import * as files from '#operations/files';
import * as groups from '#operations/groups';
import * as health from '#operations/health';
import * as memories from '#operations/memories';
import * as oauth from '#operations/oauth';
import * as people from '#operations/people';
import * as runs from '#operations/runs';
import * as scimTokens from '#operations/scim-tokens';
import * as search from '#operations/search';
import * as searchModels from '#operations/search-models';
import * as sessions from '#operations/sessions';
import * as sync from '#operations/sync';
import * as synonyms from '#operations/synonyms';

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
  sessions.signIn,
  sessions.signOut,
  sessions.changePassword,
  sessions.openAccountLink,
  sessions.useAccountLink,
  people.listPeople,
  people.getPerson,
  people.updatePerson,
  people.createPasswordReset,
  people.listPersonSessions,
  people.endPersonSessions,
  people.listInvitations,
  people.createInvitation,
  people.deleteInvitation,
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
  analytics.listAudit,
  analytics.recordEvents,
  analytics.listEvents,
  analytics.getUsage,

  search.searchDocuments,
  search.searchFaceted,
  search.searchDocsSite,

  chat.chat,
  chat.streamChat,
  chat.regenerate,
  chat.streamRegenerate,
  chat.listModels,
  chat.listConversations,
  chat.getConversation,
  chat.deleteConversation,

  agents.listAgents,
  agents.createAgent,
  agents.getAgent,
  agents.updateAgent,
  agents.deleteAgent,
  runs.executeAgent,
  runs.listRuns,
  runs.getRun,
  runs.cancelRun,
  agents.listTemplates,
  agents.getTemplate,
  agents.createFromTemplate,

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
  files.uploadFiles,

  oauth.initOAuth,
  oauth.completeOAuth,
];
