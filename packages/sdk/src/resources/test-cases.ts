import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Questions whose replies are checked on demand and on a schedule. */
export const createTestCases = (client: Client) => ({
  list: (query: Query<'listTestCases'> = {}, options?: CallOptions) => client.list('listTestCases', { query }, options),
  create: (body: Body<'createTestCase'>, options?: CallOptions) => client.call('createTestCase', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getTestCase', { path: { id } }, options),
  update: (id: string, body: Body<'updateTestCase'>, options?: CallOptions) =>
    client.call('updateTestCase', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteTestCase', { path: { id } }, options),
  /** Creates or changes test cases from JSON Lines, all or none. */
  import: (body: Body<'importTestCases'>, options?: CallOptions) => client.call('importTestCases', { body }, options),
  export: (options?: CallOptions) => client.call('exportTestCases', {}, options),
  /** Starts a run of all test cases in the background. */
  run: (options?: CallOptions) => client.call('startTestRun', {}, options),
  listRuns: (query: Query<'listTestRuns'> = {}, options?: CallOptions) =>
    client.list('listTestRuns', { query }, options),
  getRun: (id: string, options?: CallOptions) => client.call('getTestRun', { path: { id } }, options),
  cancelRun: (id: string, options?: CallOptions) => client.call('cancelTestRun', { path: { id } }, options),
  results: (id: string, query: Query<'listTestResults'> = {}, options?: CallOptions) =>
    client.list('listTestResults', { path: { id }, query }, options),
  getSchedule: (options?: CallOptions) => client.call('getTestSchedule', {}, options),
  setSchedule: (body: Body<'setTestSchedule'>, options?: CallOptions) =>
    client.call('setTestSchedule', { body }, options),
});
