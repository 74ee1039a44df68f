import { AppError } from '@lectern/service-kit';

/**
 * Operations that change something or cost money, but concern only the end user: questions, and the
 * conversations and runs that they create.
 */
const OWN_ACTIONS: ReadonlySet<string> = new Set([
  'recordAnalyticsEvents',
  'searchDocuments',
  'searchFaceted',
  'searchDocsSite',
  'chat',
  'streamChat',
  'regenerate',
  'streamRegenerate',
  'deleteConversation',
  'executeAgent',
  'cancelRun',
  // Its tools search, read and ask; none of them changes anything.
  'mcp',
]);

/**
 * Reads that show other people's activity, API keys, settings of the team, or names of files that the
 * user cannot access.
 */
const RESTRICTED_READS: ReadonlySet<string> = new Set([
  'listApiKeys',
  'getApiKey',
  'listAudit',
  'listAnalyticsEvents',
  'getUsage',
  'listFiles',
  'listSynonyms',
  'getSynonym',
  'exportSynonyms',
  'listSynonymPacks',
]);

/**
 * Rejects operations that are not available to end users (X-Service-User): those that change
 * connectors, permissions, keys or other people's data. The services that own the data reject them
 * too. Throws `forbidden`.
 */
export function requireEndUserAccess(operation: { readonly id: string; readonly method: string }): void {
  const { id, method } = operation;
  if (method === 'get' ? !RESTRICTED_READS.has(id) : OWN_ACTIONS.has(id)) return;
  throw new AppError(
    'forbidden',
    'This operation is not available to end users because it affects more than their own data. Send the request without X-Service-User.',
  );
}
