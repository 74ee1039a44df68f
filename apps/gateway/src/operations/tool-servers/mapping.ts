import { type ServerTool, ServerToolStatus, type ToolServer, type ToolServerReport } from '@lectern/contracts';
import { enumText, time } from '#operations/convert';

/** A tool server without its secret. */
export const serverRecord = (server: ToolServer) => ({
  id: server.id,
  name: server.name,
  slug: server.slug,
  kind: server.kind,
  url: server.url,
  documentUrl: server.documentUrl ?? null,
  documentBytes: server.documentBytes ?? null,
  auth: server.auth ?? { type: 'none' },
  toolCount: server.toolCount,
  enabledToolCount: server.enabledToolCount,
  changedToolCount: server.changedToolCount,
  notes: server.notes,
  refreshedAt: time(server.refreshedAt),
  createdAt: time(server.createdAt),
  updatedAt: time(server.updatedAt),
});

/** The result of a connection test. */
export const serverReport = ({ success, latencyMs, toolCount, errorCode, errorMessage }: ToolServerReport) => ({
  success,
  latencyMs,
  toolCount,
  error: errorCode === undefined ? null : { code: errorCode, message: errorMessage ?? '' },
});

/** A tool of a tool server. */
export const toolRecord = (tool: ServerTool) => ({
  name: tool.agentName,
  serverId: tool.serverId,
  nameAtServer: tool.name,
  description: tool.description,
  inputSchema: tool.inputSchema ?? {},
  operation: tool.operation ?? null,
  status: enumText(ServerToolStatus, tool.status),
  changesSomething: tool.changesSomething,
  readOnlyHint: tool.readOnlyHint ?? null,
  problem: tool.problem ?? null,
  version: tool.version,
});
