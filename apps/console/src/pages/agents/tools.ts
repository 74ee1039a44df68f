import type { Agent } from '#api/types.ts';

/** What an agent may be allowed to use, as the contract names it. */
export const TOOLS = [
  { name: 'search_documents', label: 'Search documents' },
  { name: 'get_document', label: 'Read a whole document' },
  { name: 'summarize_document', label: 'Summarise a document' },
  { name: 'search_database_schema', label: 'Look through a database’s schema' },
  { name: 'query_database', label: 'Query a database (reading only)' },
  { name: 'get_table_info', label: 'Look at a table' },
  { name: 'calculate', label: 'Calculate' },
  { name: 'get_datetime', label: 'Tell date and time' },
] as const;

/** What a new agent has, unless it is told otherwise. */
export const STANDARD_TOOLS: Agent['tools'] = ['search_documents', 'get_document', 'calculate', 'get_datetime'];
