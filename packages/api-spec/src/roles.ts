/** The roles of people, each with the rights of the ones before it. */
export const ROLES = ['member', 'editor', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** True if `role` has the rights of `least`. */
export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/**
 * The least role that may call each operation that needs a caller. A request for an end user
 * (X-Service-User) has the rights of a member: it may change something only if that concerns the
 * end user alone. `owner` is not in the table: owners differ from admins in whom they may manage.
 */
const LEAST_ROLES: Readonly<Record<Exclude<Role, 'owner'>, readonly string[]>> = {
  member: [
    'getOwnKey',
    'recordAnalyticsEvents',
    'searchDocuments',
    'searchFaceted',
    'searchDocsSite',
    'chat',
    'streamChat',
    'regenerate',
    'streamRegenerate',
    'listModels',
    'listConversations',
    'getConversation',
    'deleteConversation',
    'listAgents',
    'getAgent',
    'executeAgent',
    'listRuns',
    'getRun',
    'cancelRun',
    'listTemplates',
    'getTemplate',
    'listMemories',
    'searchMemories',
    'getMemory',
    'listCollections',
    'getCollection',
    'listDocuments',
    'getDocument',
    'getDocumentContent',
    'getDocumentSummary',
    'listConnectors',
    'getConnector',
    'listSyncJobs',
    'getSyncJob',
    'watchSync',
    'listConnectorDocuments',
    'getConnectorDocument',
    // Its tools search, read and ask; none of them changes anything.
    'mcp',
  ],
  editor: [
    'createAgent',
    'updateAgent',
    'deleteAgent',
    'createFromTemplate',
    'createMemory',
    'updateMemory',
    'deleteMemory',
    'createCollection',
    'updateCollection',
    'deleteCollection',
    'refreshCollectionStats',
    'listSynonyms',
    'createSynonym',
    'importSynonyms',
    'exportSynonyms',
    'listSynonymPacks',
    'updateSynonymPack',
    'getSynonym',
    'updateSynonym',
    'deleteSynonym',
    'createDocument',
    'createDocuments',
    'deleteDocument',
    'createConnector',
    'updateConnector',
    'deleteConnector',
    'testConnector',
    'testSettings',
    'startSync',
    'cancelSync',
    'refreshPermissions',
    'deleteConnectorDocument',
    'listFiles',
    'deleteFiles',
    'uploadFiles',
    'initOAuth',
  ],
  admin: [
    'listApiKeys',
    'createApiKey',
    'getApiKey',
    'updateApiKey',
    'rotateApiKey',
    'revokeApiKey',
    'listAudit',
    'listAnalyticsEvents',
    'getUsage',
    'listPeople',
    'getPerson',
    'updatePerson',
    'createPasswordReset',
    'listPersonSessions',
    'endPersonSessions',
    'listInvitations',
    'createInvitation',
    'deleteInvitation',
    'listGroups',
    'createGroup',
    'getGroup',
    'updateGroup',
    'deleteGroup',
    'listGroupMembers',
    'addGroupMember',
    'removeGroupMember',
    'listScimTokens',
    'createScimToken',
    'deleteScimToken',
    'listSearchModels',
    'useSearchModel',
  ],
};

const BY_OPERATION: ReadonlyMap<string, Role> = new Map(
  ROLES.flatMap((role) => (role === 'owner' ? [] : LEAST_ROLES[role].map((id) => [id, role] as const))),
);

/** Returns the least role that may call an operation. Throws for an operation without a row. */
export function leastRole(operationId: string): Role {
  const role = BY_OPERATION.get(operationId);
  if (role === undefined) throw new TypeError(`${operationId} has no role`);
  return role;
}
