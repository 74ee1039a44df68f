import { AppError } from '@lectern/service-kit';

/** What changes something or costs something, and is an end user's own: what the user asks, and the conversations and runs that come of it. */
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
  // Its tools read and ask as the user; none changes anything.
  'mcp',
]);

/** Reads that show what other people did, which keys there are, or names of files that the user may not read. */
const OTHERS_READS: ReadonlySet<string> = new Set([
  'listApiKeys',
  'getApiKey',
  'listAudit',
  'listAnalyticsEvents',
  'getUsage',
  'listFiles',
]);

/**
 * Refuses what a request for an end user (X-Service-User) may not do: whatever changes connectors, permissions, keys or other people's things. The
 * services that own the data refuse the same. Throws `forbidden`.
 */
export function requireEndUserRight(operation: { readonly id: string; readonly method: string }): void {
  const { id, method } = operation;
  if (method === 'get' ? !OTHERS_READS.has(id) : OWN_ACTIONS.has(id)) return;
  throw new AppError(
    'forbidden',
    'A request for an end user may not do this: it is not about the user alone. Send it without X-Service-User.',
  );
}
