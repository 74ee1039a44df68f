/** The tag of paths outside the API's operations. */
export const OTHER_TAG = 'Pages and programs';
/** The tag of the OpenAI-compatible API. */
export const OPENAI_TAG = 'OpenAI-compatible API';

/**
 * The tags in the order of the reference, with the beginnings of their paths. The longest match
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
    paths: ['/api/v1/teams/{teamId}/chat', '/api/v1/teams/{teamId}/suggestions', '/api/v1/models'],
  },
  {
    name: 'Conversations',
    description: 'Stored messages and replies.',
    paths: ['/api/v1/teams/{teamId}/conversations'],
  },
  {
    name: 'Agents',
    description: 'Assistants with their own instructions, tools, collections and memories.',
    paths: ['/api/v1/agent', '/api/v1/approvals'],
  },
  {
    name: 'Tool servers',
    description: 'MCP servers and HTTP APIs whose tools agents can use.',
    paths: ['/api/v1/tool'],
  },
  {
    name: 'Model endpoints',
    description: 'Connections of the team to providers of language models, and the default model.',
    paths: ['/api/v1/model-'],
  },
  { name: 'Collections', description: 'Groups of documents.', paths: ['/api/v1/collections'] },
  {
    name: 'Search models',
    description: 'Embedding models that the team can choose for its collections.',
    paths: ['/api/v1/search-models'],
  },
  {
    name: 'Search rules',
    description: 'Documents that searches for certain words pin to positions, or hide.',
    paths: ['/api/v1/search-rules'],
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
    name: 'Items',
    description: 'Items that you push to custom connectors.',
    paths: ['/api/v1/connectors/{id}/items', '/api/v1/connectors/{id}/snapshots'],
  },
  {
    name: 'Connectors',
    description: 'Connections that import content from a source into a collection.',
    paths: ['/api/v1/connectors', '/api/v1/oauth'],
  },
  {
    name: 'API keys',
    description: 'Pairs of a publishable and a secret key, and tokens for users of web pages.',
    paths: ['/api/v1/api-keys', '/api/v1/key', '/api/v1/user-tokens'],
  },
  {
    name: 'Slack',
    description: 'Slack apps that answer the people of the team.',
    paths: ['/api/v1/slack-apps', '/api/v1/slack-manifest'],
  },
  {
    name: 'People',
    description: 'People who sign in, their roles, groups, invitations, sessions and identity providers.',
    paths: [
      '/api/v1/identity-providers',
      '/api/v1/people',
      '/api/v1/groups',
      '/api/v1/scim-tokens',
      '/api/v1/apps',
      '/api/v1/invitations',
      '/api/v1/session',
      '/api/v1/account',
    ],
  },
  {
    name: 'Branding',
    description: 'The name, logo and color of a team on the pages for people.',
    paths: ['/api/v1/branding', '/api/v1/session/branding'],
  },
  {
    name: 'Quality',
    description: 'What people search for and ask, and test cases that check the replies.',
    paths: ['/api/v1/search-analytics', '/api/v1/questions', '/api/v1/test-'],
  },
  {
    name: 'Audit and analytics',
    description: 'Audit events, analytics events and usage.',
    paths: ['/api/v1/audit', '/api/v1/analytics'],
  },
  {
    name: 'Budgets and retention',
    description: 'Limits for tokens and cost, prices of models, and how long data is kept.',
    paths: ['/api/v1/budgets', '/api/v1/model-prices', '/api/v1/retention'],
  },
  {
    name: 'Webhooks',
    description: 'Endpoints of other systems that receive events, and what was sent to them.',
    paths: ['/api/v1/webhooks'],
  },
  { name: 'Health', description: 'Liveness and readiness probes.', paths: ['/healthz', '/readyz'] },
  {
    name: OPENAI_TAG,
    description: 'Chat Completions, Responses, models and embeddings in the form of OpenAI, for existing clients.',
    paths: ['/v1/chat', '/v1/responses', '/v1/models', '/v1/embeddings'],
  },
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
  const [longest] = TAGS.flatMap(({ name, paths }) =>
    paths.filter((start: string) => taggedPath.startsWith(start)).map((start: string) => ({ name, start })),
  ).toSorted((a, b) => b.start.length - a.start.length);
  return longest?.name ?? 'Other';
}
