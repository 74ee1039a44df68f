import { isOutsideTool, ServerToolStatus } from '@lectern/contracts';
import { invalidRequest, requireFullScope, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { statusOf } from '#tool-servers/server-rows';

/**
 * Returns the named tools without duplicates. An outside tool that is new to the agent must be
 * enabled, and only a caller of full scope may add it. Throws `forbidden` and `invalid_request`.
 */
export async function checkTools(
  { db }: Pick<Context, 'db'>,
  names: readonly string[],
  { caller }: ServiceCall,
  existing: readonly string[] = [],
  path = 'tools',
): Promise<string[]> {
  const tools = [...new Set(names)];
  const added = tools.filter((name) => isOutsideTool(name) && !existing.includes(name));
  if (added.length === 0) return tools;
  requireFullScope(caller, 'give an agent tools of tool servers');
  const rows = await db.serverTool.findMany({ where: { teamId: caller.teamId, agentName: { in: added } } });
  const enabled = new Set(
    rows.filter((row) => statusOf(row) === ServerToolStatus.ENABLED).map(({ agentName }) => agentName),
  );
  const issues = added
    .filter((name) => !enabled.has(name))
    .map((name) => ({
      path: `${path}[${names.indexOf(name)}]`,
      message: 'is not an enabled tool of a tool server. Enable it first',
    }));
  if (issues.length > 0) throw invalidRequest(issues);
  return tools;
}
