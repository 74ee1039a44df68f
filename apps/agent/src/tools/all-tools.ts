import type { AgentTool } from '@lectern/contracts';
import { calculate } from '#tools/calculate';
import { getDatetime } from '#tools/get-datetime';
import { getDocument } from '#tools/get-document';
import { getTableInfo } from '#tools/get-table-info';
import { queryDatabase } from '#tools/query-database';
import { searchDatabaseSchema } from '#tools/search-database-schema';
import { searchDocuments } from '#tools/search-documents';
import { summarizeDocument } from '#tools/summarize-document';
import type { Tool } from '#tools/tool';

/** All tools by name. */
export const ALL_TOOLS: Readonly<Record<AgentTool, Tool>> = {
  search_documents: searchDocuments,
  get_document: getDocument,
  summarize_document: summarizeDocument,
  search_database_schema: searchDatabaseSchema,
  query_database: queryDatabase,
  get_table_info: getTableInfo,
  calculate,
  get_datetime: getDatetime,
};
