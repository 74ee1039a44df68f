import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Usage events, metrics and the audit log. */
export const createAnalytics = (client: Client) => ({
  /** Records up to 100 events. */
  record: (body: Body<'recordAnalyticsEvents'>, options?: CallOptions) =>
    client.call('recordAnalyticsEvents', { body }, options),
  events: (query: Query<'listAnalyticsEvents'> = {}, options?: CallOptions) =>
    client.list('listAnalyticsEvents', { query }, options),
  /** Requests, errors, latency and tokens by hour or day. */
  usage: (query: Query<'getUsage'> = {}, options?: CallOptions) => client.call('getUsage', { query }, options),
  /** Searches, searches without results and clicks by hour or day. */
  searches: (query: Query<'getSearchAnalytics'> = {}, options?: CallOptions) =>
    client.call('getSearchAnalytics', { query }, options),
  /** The queries that people searched for, most frequent first. */
  queries: (query: Query<'listSearchQueries'> = {}, options?: CallOptions) =>
    client.list('listSearchQueries', { query }, options),
  /** Usage and cost of each model, key pair or person. */
  usageBy: (query: Query<'getUsageBreakdown'> = {}, options?: CallOptions) =>
    client.list('getUsageBreakdown', { query }, options),
  /** Yields all matching events of the audit log, newest first. */
  exportAudit: (query: Query<'exportAudit'> = {}, options?: CallOptions) =>
    client.lines('exportAudit', { query }, options),
  /** The audit log: administrative changes with actor, time and address. */
  audit: (query: Query<'listAudit'> = {}, options?: CallOptions) => client.list('listAudit', { query }, options),
});
