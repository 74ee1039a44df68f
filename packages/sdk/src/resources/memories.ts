import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

const memoryPath = (id: string, memoryId: string) => ({ path: { id, memoryId } });

/** What an agent remembers across conversations. */
export const createMemories = (client: Client) => ({
  list: (agentId: string, query: Query<'listMemories'> = {}, options?: CallOptions) =>
    client.list('listMemories', { path: { id: agentId }, query }, options),
  /** Creates a memory, or merges it with an existing one that is nearly equal. */
  create: (agentId: string, body: Body<'createMemory'>, options?: CallOptions) =>
    client.call('createMemory', { path: { id: agentId }, body }, options),
  get: (agentId: string, memoryId: string, options?: CallOptions) =>
    client.call('getMemory', memoryPath(agentId, memoryId), options),
  update: (agentId: string, memoryId: string, body: Body<'updateMemory'>, options?: CallOptions) =>
    client.call('updateMemory', { ...memoryPath(agentId, memoryId), body }, options),
  delete: (agentId: string, memoryId: string, options?: CallOptions) =>
    client.call('deleteMemory', memoryPath(agentId, memoryId), options),
  search: (agentId: string, query: Query<'searchMemories'>, options?: CallOptions) =>
    client.call('searchMemories', { path: { id: agentId }, query }, options),
});
