/** The tag of paths outside the API's operations. */
export const OTHER_TAG = 'Pages and programs';

/**
 * The tags in the order of the reference, with the beginnings of their paths. The first match
 * counts.
 */
const TAGS = [
  {
    name: 'Search',
    description: 'Search documents and count the values of their fields.',
    paths: ['/api/v1/search', '/v1/docs/search'],
  },
  {
    name: 'Chat',
    description: 'Ask questions about documents. Replies include sources and a confidence.',
    paths: ['/api/v1/teams/{teamId}/chat', '/api/v1/models'],
  },
  {
    name: 'Conversations',
    description: 'Stored messages and replies.',
    paths: ['/api/v1/teams/{teamId}/conversations'],
  },
  {
    name: 'Agents',
    description: 'Assistants with their own instructions, tools, collections and memories.',
    paths: ['/api/v1/agent', '/api/v1/runs'],
  },
  { name: 'Collections', description: 'Groups of documents.', paths: ['/api/v1/collections'] },
  {
    name: 'Search models',
    description: 'Embedding models that the team can choose for its collections.',
    paths: ['/api/v1/search-models'],
  },
  {
    name: 'Synonyms',
    description: 'Words that searches treat as having the same meaning.',
    paths: ['/api/v1/synonyms'],
  },
  { name: 'Documents', description: 'Indexed documents, their texts and summaries.', paths: ['/api/v1/documents'] },
  {
    name: 'Sync',
    description: 'Jobs that import content from a source.',
    paths: ['/api/v1/connectors/{id}/sync', '/api/v1/connectors/{id}/refresh-permissions'],
  },
  {
    name: 'Files',
    description: 'Source files of upload connectors.',
    paths: ['/api/v1/connectors/{id}/files'],
  },
  {
    name: 'Connectors',
    description: 'Connections that import content from a source into a collection.',
    paths: ['/api/v1/connectors', '/api/v1/oauth'],
  },
  {
    name: 'API keys',
    description: 'Pairs of a publishable and a secret key.',
    paths: ['/api/v1/api-keys', '/api/v1/key'],
  },
  {
    name: 'People',
    description: 'People who sign in, their roles, groups, invitations and sessions.',
    paths: [
      '/api/v1/people',
      '/api/v1/groups',
      '/api/v1/scim-tokens',
      '/api/v1/invitations',
      '/api/v1/session',
      '/api/v1/account-links',
    ],
  },
  {
    name: 'Audit and analytics',
    description: 'Audit events, analytics events and usage.',
    paths: ['/api/v1/audit', '/api/v1/analytics'],
  },
  { name: 'Health', description: 'Liveness and readiness probes.', paths: ['/healthz', '/readyz'] },
  {
    name: OTHER_TAG,
    description: 'The console, this reference, the search widget, and MCP for assistants.',
    paths: [],
  },
] as const;

/** The tags as OpenAPI lists them. */
export const tags = TAGS.map(({ name, description }) => ({ name, description }));

/** Returns the tag of a path. */
export function tagOf(path: string): string {
  const taggedPath = path.startsWith('/api/v1/collections/{id}/documents') ? '/api/v1/documents' : path;
  const found = TAGS.find(({ paths }) => paths.some((start: string) => taggedPath.startsWith(start)));
  return found?.name ?? 'Other';
}
