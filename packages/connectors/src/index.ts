export * from './blobs/blob-store.ts';
export * from './blobs/folder-blob-store.ts';
export { createS3BlobStore, type S3BlobStoreOptions } from './blobs/s3-blob-store.ts';
export * from './connector.ts';
export { createEgressGuard, type EgressGuardOptions } from './egress/create-egress-guard.ts';
export * from './egress/egress-guard.ts';
export type { ResolvedAddress, ResolveHost } from './egress/egress-policy.ts';
export { type EgressRule, parseEgressAllow } from './egress/egress-rule.ts';
export * from './host.ts';
export * from './http/create-source-http.ts';
export { retryTime } from './http/retry-after.ts';
export * from './http/source-http.ts';
export * from './oauth/oauth-provider.ts';
export { databaseError } from './postgresql/database-error.ts';
export {
  type DatabaseAddress,
  type DatabaseClient,
  type DatabaseCredentials,
  type DatabaseLimits,
  openDatabase,
} from './postgresql/open-database.ts';
export type { DatabaseQueries } from './postgresql/query/database-queries.ts';
export type { TableInfo } from './postgresql/query/describe-table.ts';
export * from './postgresql/query/query-error.ts';
export { QUERY_LIMITS, type QueryLimits, type QueryResult } from './postgresql/query/run-query.ts';
export * from './registry.ts';
export { type ConnectorType, defineType, type OpenSettings, type Settings } from './settings/connector-type.ts';
export * from './source.ts';
export * from './source-error.ts';
export * from './upload/file-catalog.ts';
export { refOfUpload } from './upload/upload-connector.ts';
