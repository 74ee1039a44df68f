import type { Client } from '../client.ts';
import { RunStream } from '../streams.ts';
import type { Body, CallOptions, Query } from '../types.ts';
import { createMemories } from './memories.ts';
import { createSchedules } from './schedules.ts';

/** Assistants with their own instructions, tools, collections and memories. */
export const createAgents = (client: Client) => ({
  list: (query: Query<'listAgents'> = {}, options?: CallOptions) => client.list('listAgents', { query }, options),
  create: (body: Body<'createAgent'>, options?: CallOptions) => client.call('createAgent', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getAgent', { path: { id } }, options),
  update: (id: string, body: Body<'updateAgent'>, options?: CallOptions) =>
    client.call('updateAgent', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteAgent', { path: { id } }, options),
  /** Runs an agent and streams its steps: the events, `text()` or `final()`. */
  execute: (id: string, body: Body<'executeAgent'>, options?: CallOptions) =>
    new RunStream(client.events('executeAgent', { path: { id }, body }, options)),
  /** What an agent remembers across conversations. */
  memories: createMemories(client),
  /** Regular runs of an agent. */
  schedules: createSchedules(client),
  templates: (query: Query<'listTemplates'> = {}, options?: CallOptions) =>
    client.list('listTemplates', { query }, options),
  template: (id: string, options?: CallOptions) => client.call('getTemplate', { path: { id } }, options),
  fromTemplate: (templateId: string, body: Body<'createFromTemplate'> = {}, options?: CallOptions) =>
    client.call('createFromTemplate', { path: { templateId }, body }, options),
});
