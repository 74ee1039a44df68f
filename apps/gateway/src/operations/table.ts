import type { Operation } from '#http/operation';
import { createAgent } from '#operations/agents/create-agent';
import { deleteAgent } from '#operations/agents/delete-agent';
import { getAgent } from '#operations/agents/get-agent';
import { listAgents } from '#operations/agents/list-agents';
import { updateAgent } from '#operations/agents/update-agent';
import { getUsage } from '#operations/analytics/get-usage';
import { listEvents } from '#operations/analytics/list-events';
import { recordEvents } from '#operations/analytics/record-events';
import { createApiKey } from '#operations/api-keys/create-api-key';
import { getApiKey } from '#operations/api-keys/get-api-key';
import { getOwnKey } from '#operations/api-keys/get-own-key';
import { listApiKeys } from '#operations/api-keys/list-api-keys';
import { revokeApiKey } from '#operations/api-keys/revoke-api-key';
import { rotateApiKey } from '#operations/api-keys/rotate-api-key';
import { updateApiKey } from '#operations/api-keys/update-api-key';
import { listAudit } from '#operations/audit/list-audit';
import { chat } from '#operations/chat/chat';
import { deleteConversation } from '#operations/chat/delete-conversation';
import { getConversation } from '#operations/chat/get-conversation';
import { listConversations } from '#operations/chat/list-conversations';
import { listModels } from '#operations/chat/list-models';
import { regenerate } from '#operations/chat/regenerate';
import { streamChat } from '#operations/chat/stream-chat';
import { streamRegenerate } from '#operations/chat/stream-regenerate';
import { createCollection } from '#operations/collections/create-collection';
import { deleteCollection } from '#operations/collections/delete-collection';
import { getCollection } from '#operations/collections/get-collection';
import { listCollections } from '#operations/collections/list-collections';
import { refreshStats } from '#operations/collections/refresh-stats';
import { updateCollection } from '#operations/collections/update-collection';
import { deleteConnectorDocument } from '#operations/connector-documents/delete-connector-document';
import { getConnectorDocument } from '#operations/connector-documents/get-connector-document';
import { listConnectorDocuments } from '#operations/connector-documents/list-connector-documents';
import { createConnector } from '#operations/connectors/create-connector';
import { deleteConnector } from '#operations/connectors/delete-connector';
import { getConnector } from '#operations/connectors/get-connector';
import { listConnectors } from '#operations/connectors/list-connectors';
import { testConnector } from '#operations/connectors/test-connector';
import { testSettings } from '#operations/connectors/test-settings';
import { updateConnector } from '#operations/connectors/update-connector';
import { createDocument } from '#operations/documents/create-document';
import { deleteDocument } from '#operations/documents/delete-document';
import { getDocument } from '#operations/documents/get-document';
import { getDocumentContent } from '#operations/documents/get-document-content';
import { getDocumentSummary } from '#operations/documents/get-document-summary';
import { listDocuments } from '#operations/documents/list-documents';
import { deleteFiles } from '#operations/files/delete-files';
import { listFiles } from '#operations/files/list-files';
import { uploadFiles } from '#operations/files/upload-files';
import { getHealth } from '#operations/health/get-health';
import { getReadiness } from '#operations/health/get-readiness';
import { createMemory } from '#operations/memories/create-memory';
import { deleteMemory } from '#operations/memories/delete-memory';
import { getMemory } from '#operations/memories/get-memory';
import { listMemories } from '#operations/memories/list-memories';
import { searchMemories } from '#operations/memories/search-memories';
import { updateMemory } from '#operations/memories/update-memory';
import { completeOAuth } from '#operations/oauth/complete-oauth';
import { initOAuth } from '#operations/oauth/init-oauth';
import { cancelRun } from '#operations/runs/cancel-run';
import { executeAgent } from '#operations/runs/execute-agent';
import { getRun } from '#operations/runs/get-run';
import { listRuns } from '#operations/runs/list-runs';
import { searchDocsSite } from '#operations/search/search-docs-site';
import { searchDocuments } from '#operations/search/search-documents';
import { searchFaceted } from '#operations/search/search-faceted';
import { cancelSync } from '#operations/sync/cancel-sync';
import { getSyncJob } from '#operations/sync/get-sync-job';
import { listSyncJobs } from '#operations/sync/list-sync-jobs';
import { refreshPermissions } from '#operations/sync/refresh-permissions';
import { startSync } from '#operations/sync/start-sync';
import { watchSync } from '#operations/sync/watch-sync';
import { createFromTemplate } from '#operations/templates/create-from-template';
import { getTemplate } from '#operations/templates/get-template';
import { listTemplates } from '#operations/templates/list-templates';

/** All that the API can do. The router, and whatever else must know every operation, is made from this table. */
export const operations: readonly Operation[] = [
  getHealth,
  getReadiness,

  getOwnKey,
  listApiKeys,
  createApiKey,
  getApiKey,
  updateApiKey,
  rotateApiKey,
  revokeApiKey,
  listAudit,
  recordEvents,
  listEvents,
  getUsage,

  searchDocuments,
  searchFaceted,
  searchDocsSite,

  chat,
  streamChat,
  regenerate,
  streamRegenerate,
  listModels,
  listConversations,
  getConversation,
  deleteConversation,

  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  executeAgent,
  listRuns,
  getRun,
  cancelRun,
  listTemplates,
  getTemplate,
  createFromTemplate,

  listMemories,
  createMemory,
  searchMemories,
  getMemory,
  updateMemory,
  deleteMemory,

  listCollections,
  createCollection,
  getCollection,
  updateCollection,
  deleteCollection,
  refreshStats,

  listDocuments,
  createDocument,
  getDocument,
  deleteDocument,
  getDocumentContent,
  getDocumentSummary,

  listConnectors,
  createConnector,
  getConnector,
  updateConnector,
  deleteConnector,
  testConnector,
  testSettings,

  listSyncJobs,
  startSync,
  getSyncJob,
  cancelSync,
  watchSync,
  refreshPermissions,

  listConnectorDocuments,
  getConnectorDocument,
  deleteConnectorDocument,

  listFiles,
  deleteFiles,
  uploadFiles,

  initOAuth,
  completeOAuth,
];
