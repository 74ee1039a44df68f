import { type BlobStore, createFolderBlobStore, createS3BlobStore, type EgressGuard } from '@lectern/connectors';
import { ConfigError } from '@lectern/service-kit';
import type { Config } from '../config.ts';

/** Where uploaded files are kept: a bucket where one is set, else a folder. Throws `ConfigError` for a bucket without its keys. */
export async function openBlobStore(config: Config, egress: EgressGuard): Promise<BlobStore> {
  const { BLOB_S3_BUCKET: bucket, BLOB_S3_ENDPOINT: endpoint, BLOB_S3_PREFIX: prefix } = config;
  if (bucket === undefined) return createFolderBlobStore(config.BLOB_DIR);
  const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(['BLOB_S3_BUCKET: needs BLOB_S3_ACCESS_KEY_ID and BLOB_S3_SECRET_ACCESS_KEY']);
  }
  const address = { bucket, region: config.BLOB_S3_REGION, ...(endpoint === undefined ? {} : { endpoint }) };
  return createS3BlobStore({ address, credentials: { accessKeyId, secretAccessKey }, prefix, egress });
}
