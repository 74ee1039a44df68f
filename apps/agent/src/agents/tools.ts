/** Every tool that an agent can be given. */
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

/** True for the name of a tool that there is. */
export function isAgentTool(name: string): name is AgentTool {
  return AGENT_TOOLS.some((tool) => tool === name);
}
