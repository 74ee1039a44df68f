/** The tools that an agent can use. */
export const AGENT_TOOLS = [
  'search_documents',
  'get_document',
  'summarize_document',
  'search_database_schema',
  'query_database',
  'get_table_info',
  'calculate',
  'get_datetime',
] as const;

export type AgentTool = (typeof AGENT_TOOLS)[number];

/** Returns whether a text is the name of a tool. */
export function isAgentTool(name: string): name is AgentTool {
  return AGENT_TOOLS.some((tool) => tool === name);
}
