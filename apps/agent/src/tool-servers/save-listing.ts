import type { Context } from '#context';
import type { Prisma, ToolServer } from '#gen/prisma/client';
import { SERVER_LIMITS } from '#tool-servers/limits';
import { agentToolName, type ListedTool, type Listing, versionOf } from '#tool-servers/listed-tool';

const asJson = (value: unknown): Prisma.InputJsonValue => JSON.parse(JSON.stringify(value));

function fieldsOf(tool: ListedTool) {
  return {
    description: tool.description,
    inputSchema: asJson(tool.inputSchema),
    ...(tool.operation === undefined ? {} : { operation: asJson(tool.operation) }),
    readOnlyHint: tool.readOnlyHint ?? null,
    version: versionOf(tool),
    problem: tool.problem ?? null,
    listed: true,
  };
}

/**
 * Stores what a server lists. New tools are disabled. A tool whose definition has changed stays
 * enabled, but cannot be used until its new version is confirmed. A tool that is gone is kept, so
 * that it does not return enabled with another definition.
 */
export async function saveListing(
  { db }: Pick<Context, 'db'>,
  { id: serverId, teamId, slug }: ToolServer,
  { tools, notes }: Listing,
): Promise<void> {
  const remarks = [...notes];
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM tool_servers WHERE id = ${serverId} FOR UPDATE`;
    const stored = await tx.serverTool.findMany({ where: { serverId } });
    const known = new Map(stored.map((tool) => [tool.name, tool]));
    const owners = new Map(stored.map(({ agentName, name }) => [agentName, name]));
    const added: Prisma.ServerToolCreateManyInput[] = [];
    for (const tool of tools) {
      const agentName = agentToolName(slug, tool.name);
      if ((owners.get(agentName) ?? tool.name) !== tool.name) {
        remarks.push(`${tool.name.slice(0, 100)} was left out, because another tool has its name.`);
        continue;
      }
      owners.set(agentName, tool.name);
      const fields = fieldsOf(tool);
      const existing = known.get(tool.name);
      if (existing === undefined) {
        const { name, changes } = tool;
        added.push({ serverId, teamId, name, agentName, changes, ...fields });
      } else if (existing.version !== fields.version || !existing.listed) {
        await tx.serverTool.update({ where: { serverId_name: { serverId, name: tool.name } }, data: fields });
      }
    }
    await tx.serverTool.createMany({ data: added });
    const names = tools.map(({ name }) => name);
    await tx.serverTool.updateMany({ where: { serverId, name: { notIn: names } }, data: { listed: false } });
    await tx.serverTool.deleteMany({ where: { serverId, listed: false, confirmedVersion: null } });
    const data = { notes: remarks.slice(0, SERVER_LIMITS.notes), refreshedAt: new Date() };
    await tx.toolServer.updateMany({ where: { id: serverId }, data });
  });
}
