import {
  isId,
  type ServerTool as ServerToolMessage,
  ServerToolStatus,
  type ToolServer as ToolServerMessage,
} from '@lectern/contracts';
import { type Caller, digestOf, notFound, requireFullScope } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { Prisma, ServerTool, ToolServer } from '#gen/prisma/client';
import { operationSchema } from '#tool-servers/openapi/operation';

type Database = Prisma.TransactionClient;

/** Throws `forbidden` for a caller of restricted scope: tool servers belong to the whole team. */
export const requireWholeTeam = (caller: Caller): void => requireFullScope(caller, 'manage tool servers');

/** Returns a server of the caller's team. Throws `not_found`. */
export async function readServer(db: Database, { teamId }: Caller, id: string): Promise<ToolServer> {
  const server = isId('tool_server', id) ? await db.toolServer.findFirst({ where: { id, teamId } }) : null;
  if (server === null) throw notFound('tool_server', id);
  return server;
}

/** Locks a server's row until the transaction ends and reads it. */
export async function lockServer(tx: Database, caller: Caller, id: string): Promise<ToolServer> {
  await tx.$queryRaw`SELECT FROM tool_servers WHERE id = ${id} AND team_id = ${caller.teamId} FOR UPDATE`;
  return readServer(tx, caller, id);
}

/** Returns the state of a tool for agents. */
export function statusOf(tool: ServerTool): ServerToolStatus {
  if (!tool.listed) return ServerToolStatus.MISSING;
  if (tool.problem !== null) return ServerToolStatus.UNUSABLE;
  if (!tool.enabled) return ServerToolStatus.DISABLED;
  return tool.version === tool.confirmedVersion ? ServerToolStatus.ENABLED : ServerToolStatus.CHANGED;
}

/** The revision of the fields that an update can change. Secrets count by their ciphertext. */
export function serverRevision({ name, url, documentUrl, document, auth, sealed }: ToolServer): string {
  const secret = sealed === null ? null : Buffer.from(sealed).toString('base64');
  return digestOf([name, url, documentUrl, document, auth, secret]);
}

/** Converts servers to their contract form, with the numbers of their tools. */
export async function toServers(
  { db }: Pick<Context, 'db'>,
  servers: readonly ToolServer[],
): Promise<ToolServerMessage[]> {
  const tools = await db.serverTool.findMany({ where: { serverId: { in: servers.map(({ id }) => id) } } });
  return servers.map((server) => {
    const own = tools.filter(({ serverId }) => serverId === server.id);
    const count = (status: ServerToolStatus) => own.filter((tool) => statusOf(tool) === status).length;
    return {
      id: server.id,
      name: server.name,
      slug: server.slug,
      kind: server.kind,
      url: server.url,
      documentUrl: server.documentUrl ?? undefined,
      documentBytes: server.document === null ? undefined : Buffer.byteLength(server.document),
      auth: object.parse(server.auth),
      toolCount: own.filter(({ listed }) => listed).length,
      enabledToolCount: count(ServerToolStatus.ENABLED),
      changedToolCount: count(ServerToolStatus.CHANGED),
      notes: server.notes,
      refreshedAt: server.refreshedAt ?? undefined,
      createdAt: server.createdAt,
      updatedAt: server.updatedAt,
      revision: serverRevision(server),
    };
  });
}

const object = z.record(z.string(), z.unknown());

export async function toServer(context: Pick<Context, 'db'>, server: ToolServer): Promise<ToolServerMessage> {
  const [message] = await toServers(context, [server]);
  if (message === undefined) throw new TypeError('The server was not converted');
  return message;
}

/** Converts a tool to its contract form. */
export function toServerTool(tool: ServerTool): ServerToolMessage {
  const operation = operationSchema.safeParse(tool.operation).data;
  return {
    serverId: tool.serverId,
    name: tool.name,
    agentName: tool.agentName,
    description: tool.description,
    inputSchema: object.parse(tool.inputSchema),
    operation: operation === undefined ? undefined : `${operation.method} ${operation.path}`,
    status: statusOf(tool),
    changesSomething: tool.changes,
    readOnlyHint: tool.readOnlyHint ?? undefined,
    problem: tool.problem ?? undefined,
    version: tool.version,
  };
}
