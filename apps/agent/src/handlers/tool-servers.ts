import type {
  DeleteToolServerRequest,
  GetToolServerRequest,
  ListServerToolsRequest,
  ListToolServersRequest,
  RefreshToolsRequest,
  TestToolServerRequest,
  ToolServerReport,
  UpdateServerToolRequest,
} from '@lectern/contracts';
import {
  invalidRequest,
  notFound,
  pageInfo,
  preconditionFailed,
  readPage,
  requireRevision,
  type ServiceCall,
  toAppError,
} from '@lectern/service-kit';
import type { Context } from '#context';
import { saveListing } from '#tool-servers/save-listing';
import { listTools } from '#tool-servers/server-connection';
import {
  lockServer,
  readServer,
  requireWholeTeam,
  serverRevision,
  toServer,
  toServers,
  toServerTool,
} from '#tool-servers/server-rows';

export const getToolServer =
  (context: Context) =>
  async ({ id }: GetToolServerRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    return toServer(context, await readServer(context.db, caller, id));
  };

export const listToolServers =
  (context: Context) =>
  async ({ page: pageRequest }: ListToolServersRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    const page = readPage(pageRequest);
    const where = { teamId: caller.teamId };
    const orderBy = [{ name: 'asc' }, { id: 'asc' }] as const;
    const [servers, total] = await context.db.$transaction([
      context.db.toolServer.findMany({ where, orderBy: [...orderBy], skip: page.skip, take: page.take }),
      context.db.toolServer.count({ where }),
    ]);
    return { servers: await toServers(context, servers), page: pageInfo(page, total) };
  };

export const deleteToolServer =
  ({ db }: Context) =>
  async ({ id, precondition }: DeleteToolServerRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    await db.$transaction(async (tx) => {
      requireRevision(precondition, serverRevision(await lockServer(tx, caller, id)));
      await tx.toolServer.delete({ where: { id } });
    });
    return { id };
  };

/** Lists the tools of a server again and stores them. */
export const refreshTools =
  (context: Context) =>
  async ({ id }: RefreshToolsRequest, { caller, signal }: ServiceCall) => {
    requireWholeTeam(caller);
    const server = await readServer(context.db, caller, id);
    await saveListing(context, server, await listTools(context, server, signal));
    return toServer(context, await readServer(context.db, caller, id));
  };

/** Connects to a server and reports what happened. */
export const testToolServer =
  (context: Context) =>
  async ({ id }: TestToolServerRequest, { caller, signal, log }: ServiceCall): Promise<ToolServerReport> => {
    requireWholeTeam(caller);
    const server = await readServer(context.db, caller, id);
    const startedAt = performance.now();
    const latencyMs = () => Math.round(performance.now() - startedAt);
    try {
      const { tools } = await listTools(context, server, signal);
      return {
        success: true,
        latencyMs: latencyMs(),
        toolCount: tools.length,
        errorCode: undefined,
        errorMessage: undefined,
      };
    } catch (error) {
      signal.throwIfAborted();
      log.info({ err: error, serverId: id }, 'the test of a tool server failed');
      const { code, message } = toAppError(error);
      return { success: false, latencyMs: latencyMs(), toolCount: 0, errorCode: code, errorMessage: message };
    }
  };

export const listServerTools =
  ({ db }: Context) =>
  async ({ serverId, page: pageRequest }: ListServerToolsRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    const page = readPage(pageRequest);
    if (serverId !== '') await readServer(db, caller, serverId);
    const where = { teamId: caller.teamId, ...(serverId === '' ? {} : { serverId }) };
    const [tools, total] = await db.$transaction([
      db.serverTool.findMany({ where, orderBy: { agentName: 'asc' }, skip: page.skip, take: page.take }),
      db.serverTool.count({ where }),
    ]);
    return { tools: tools.map(toServerTool), page: pageInfo(page, total) };
  };

/**
 * Enables or disables a tool, and sets whether it changes something. Enabling confirms the version
 * that the caller has seen.
 */
export const updateServerTool =
  ({ db }: Context) =>
  async (request: UpdateServerToolRequest, { caller }: ServiceCall) => {
    requireWholeTeam(caller);
    const { serverId, name, enabled, changesSomething, version } = request;
    if (enabled === true && version === undefined) {
      throw invalidRequest([{ path: 'version', message: 'is required to enable a tool' }]);
    }
    const updated = await db.$transaction(async (tx) => {
      await lockServer(tx, caller, serverId);
      const tool = await tx.serverTool.findFirst({ where: { serverId, agentName: name } });
      if (tool === null) throw notFound('tool', name);
      if (version !== undefined && version !== tool.version) throw preconditionFailed();
      if (enabled === true && (tool.problem !== null || !tool.listed)) {
        const problem = tool.problem ?? 'The server no longer lists it.';
        throw invalidRequest([{ path: 'enabled', message: `must be false: ${problem}` }]);
      }
      return tx.serverTool.update({
        where: { serverId_name: { serverId, name: tool.name } },
        data: {
          ...(enabled === undefined ? {} : { enabled }),
          ...(enabled === true ? { confirmedVersion: tool.version } : {}),
          ...(changesSomething === undefined ? {} : { changes: changesSomething }),
        },
      });
    });
    return toServerTool(updated);
  };
