import type { Agent } from '#api/types.ts';
import { t } from '#texts/texts.ts';

const NAMES = [
  ...(['search_documents', 'get_document', 'summarize_document', 'search_database_schema'] as const),
  ...(['query_database', 'get_table_info', 'calculate', 'get_datetime'] as const),
] as const;

/** The tools of Lectern, with their labels. */
export const TOOLS = NAMES.map((name) => ({ name, label: t(`agents.toolLabels.${name}`) }));

/** Returns the short text of a tool. For a tool of a tool server, its name. */
export function toolText(tool: string): string {
  const own = NAMES.find((name) => name === tool);
  return own === undefined ? tool.replaceAll('_', ' ') : t(`agents.toolNames.${own}`);
}

/** The default tools of a new agent. */
export const DEFAULT_TOOLS: Agent['tools'] = ['search_documents', 'get_document', 'calculate', 'get_datetime'];
