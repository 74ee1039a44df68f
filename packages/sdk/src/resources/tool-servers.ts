import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** MCP servers and HTTP APIs whose tools agents can use. */
export const createToolServers = (client: Client) => ({
  list: (query: Query<'listToolServers'> = {}, options?: CallOptions) =>
    client.list('listToolServers', { query }, options),
  create: (body: Body<'createToolServer'>, options?: CallOptions) => client.call('createToolServer', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getToolServer', { path: { id } }, options),
  update: (id: string, body: Body<'updateToolServer'>, options?: CallOptions) =>
    client.call('updateToolServer', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteToolServer', { path: { id } }, options),
  /** Lists the tools of the server again. */
  refresh: (id: string, options?: CallOptions) => client.call('refreshTools', { path: { id } }, options),
  /** Connects to the server. Nothing is stored. */
  test: (id: string, options?: CallOptions) => client.call('testToolServer', { path: { id } }, options),
  tools: (id: string, query: Query<'listServerTools'> = {}, options?: CallOptions) =>
    client.list('listServerTools', { path: { id }, query }, options),
  /** Enables or disables a tool. `version` confirms the definition that you have read. */
  updateTool: (id: string, toolName: string, body: Body<'updateServerTool'>, options?: CallOptions) =>
    client.call('updateServerTool', { path: { id, toolName }, body }, options),
  /** The tools of all servers. */
  allTools: (query: Query<'listOutsideTools'> = {}, options?: CallOptions) =>
    client.list('listOutsideTools', { query }, options),
});
