/** The group of what is no operation of the API. */
export const OTHER_TAG = 'Pages and programs';

/** The groups of the API reference, in its order, and the paths that begin each. The first that fits holds. */
const TAGS = [
  {
    name: 'Search',
    description: 'Find documents, and count the values of their fields.',
    paths: ['/api/v1/search', '/v1/docs/search'],
  },
  {
    name: 'Chat',
    description: 'Ask over documents; replies carry sources and confidence.',
    paths: ['/api/v1/teams/{teamId}/chat', '/api/v1/models'],
  },
  {
    name: 'Conversations',
    description: 'What was asked and replied.',
    paths: ['/api/v1/teams/{teamId}/conversations'],
  },
  {
    name: 'Agents',
    description: 'Assistants with instructions, tools, collections and a memory of their own.',
    paths: ['/api/v1/agent', '/api/v1/runs'],
  },
  { name: 'Collections', description: 'Groups of documents.', paths: ['/api/v1/collections'] },
  { name: 'Documents', description: 'What is indexed: its text, its summary.', paths: ['/api/v1/documents'] },
  {
    name: 'Sync',
    description: 'Jobs that read a source.',
    paths: ['/api/v1/connectors/{id}/sync', '/api/v1/connectors/{id}/refresh-permissions'],
  },
  {
    name: 'Files',
    description: 'Source files of connectors that hold them.',
    paths: ['/api/v1/connectors/{id}/files'],
  },
  {
    name: 'Connectors',
    description: 'What pulls content from a source into a collection.',
    paths: ['/api/v1/connectors', '/api/v1/oauth'],
  },
  {
    name: 'API keys',
    description: 'Pairs of a publishable and a secret key.',
    paths: ['/api/v1/api-keys', '/api/v1/key'],
  },
  {
    name: 'Audit and analytics',
    description: 'What was managed, and what users did.',
    paths: ['/api/v1/audit', '/api/v1/analytics'],
  },
  { name: 'Health', description: 'For those who run Lectern.', paths: ['/healthz', '/readyz'] },
  { name: OTHER_TAG, description: 'The console, this reference, the search box, and MCP for assistants.', paths: [] },
] as const;

/** The groups, without their paths. */
export const tags = TAGS.map(({ name, description }) => ({ name, description }));

/** The group of a path. */
export function tagOf(path: string): string {
  const below = path.startsWith('/api/v1/collections/{id}/documents') ? '/api/v1/documents' : path;
  const found = TAGS.find(({ paths }) => paths.some((start: string) => below.startsWith(start)));
  return found?.name ?? 'Other';
}
