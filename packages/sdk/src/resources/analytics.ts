import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** What users did, and what was managed. */
export const createAnalytics = (client: Client) => ({
  /** Records an event, or up to 100. */
  record: (body: Body<'recordAnalyticsEvents'>, options?: CallOptions) =>
    client.call('recordAnalyticsEvents', { body }, options),
  events: (query: Query<'listAnalyticsEvents'> = {}, options?: CallOptions) =>
    client.list('listAnalyticsEvents', { query }, options),
  /** Requests, errors, latency and tokens by hour or day. */
  usage: (query: Query<'getUsage'> = {}, options?: CallOptions) => client.call('getUsage', { query }, options),
  /** What was managed, by whom, when and from where. */
  audit: (query: Query<'listAudit'> = {}, options?: CallOptions) => client.list('listAudit', { query }, options),
});
