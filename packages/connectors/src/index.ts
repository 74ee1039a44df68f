export * from '#blobs/blob-store';
export * from '#blobs/folder-blob-store';
export { createS3BlobStore, type S3BlobStoreOptions } from '#blobs/s3-blob-store';
export * from '#connector';
export { refOfItem } from '#custom/custom-connector';
export * from '#custom/item-catalog';
export * from '#host';
export * from '#http/create-source-http';
export { retryTime } from '#http/retry-after';
export * from '#http/source-http';
export * from '#oauth/oauth-provider';
export { databaseError } from '#postgresql/database-error';
export {
  type DatabaseAddress,
  type DatabaseClient,
  type DatabaseCredentials,
  type DatabaseLimits,
  openDatabase,
} from '#postgresql/open-database';
export type { DatabaseQueries } from '#postgresql/query/database-queries';
export type { TableInfo } from '#postgresql/query/describe-table';
export * from '#postgresql/query/query-error';
export { QUERY_LIMITS, type QueryLimits, type QueryResult } from '#postgresql/query/run-query';
export * from '#registry';
export { type ConnectorType, defineType, type OpenSettings, type Settings } from '#settings/connector-type';
export * from '#source';
export * from '#source-error';
export * from '#upload/file-catalog';
export { refOfUpload } from '#upload/upload-connector';
export * from '#web/page-memory';
