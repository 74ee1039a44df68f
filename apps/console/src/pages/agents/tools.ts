import type { Agent } from '#api/types.ts';

/** The tools that the API offers to agents. */
export const TOOLS = [
  { name: 'search_documents', label: 'Search documents' },
  { name: 'get_document', label: 'Read a document' },
  { name: 'summarize_document', label: 'Summarize a document' },
  { name: 'search_database_schema', label: 'Search a database schema' },
  { name: 'query_database', label: 'Query a database (read-only)' },
  { name: 'get_table_info', label: 'Describe a table' },
  { name: 'calculate', label: 'Calculate' },
  { name: 'get_datetime', label: 'Get the date and time' },
] as const;

/** The default tools of a new agent. */
export const DEFAULT_TOOLS: Agent['tools'] = ['search_documents', 'get_document', 'calculate', 'get_datetime'];
