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

/** The longest name that all model providers accept. */
const MAX_TOOL_NAME = 64;

/** The short name of a tool server, which begins the names of its tools. */
export const TOOL_SERVER_SLUG = /^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$/;

/**
 * The name of a tool of a tool server: its slug, two underscores and the tool. No tool of Lectern
 * contains two underscores, so an outside tool cannot replace one.
 */
export const OUTSIDE_TOOL = /^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?__[A-Za-z0-9_-]{1,42}$/;

/** Returns whether a text has the form of the name of an outside tool. */
export const isOutsideTool = (name: string): boolean => name.length <= MAX_TOOL_NAME && OUTSIDE_TOOL.test(name);

/**
 * How long one run waits for approvals in total, in milliseconds. The deadlines of its callers add
 * this time.
 */
export const MAX_APPROVAL_WAIT_MS = 3_600_000;
