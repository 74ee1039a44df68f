import type { Agent } from '#api/types.ts';

const LABELS = {
  search_documents: 'Search documents',
  get_document: 'Read a document',
  summarize_document: 'Summarize a document',
  search_database_schema: 'Search a database schema',
  query_database: 'Query a database (read-only)',
  get_table_info: 'Describe a table',
  calculate: 'Calculate',
  get_datetime: 'Get the date and time',
};

/** The tools of Lectern, with their labels. */
export const TOOLS = Object.entries(LABELS).map(([name, label]) => ({ name, label }));

/** The default tools of a new agent. */
export const DEFAULT_TOOLS: Agent['tools'] = ['search_documents', 'get_document', 'calculate', 'get_datetime'];
