import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { S3Client } from '@aws-sdk/client-s3';
import type { EgressGuard } from '@lectern/egress';

export interface BucketAddress {
  readonly bucket: string;
  readonly region: string;
  /** Undefined for Amazon S3. */
  readonly endpoint?: string | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The client library, loaded on first use: it is large, and most processes never need it. */
export type S3Sdk = typeof import('@aws-sdk/client-s3');
export const loadSdk = (): Promise<S3Sdk> => import('@aws-sdk/client-s3');

/**
 * Returns the endpoint of a bucket. Always explicit, so that an endpoint in the environment is
 * ignored.
 */
export function endpointOf({ region, endpoint }: BucketAddress): string {
  if (endpoint !== undefined) return endpoint;
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** Returns the URL of an object for a browser. */
export function objectUrl(address: BucketAddress, key: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const base = new URL(endpointOf(address));
  if (address.endpoint === undefined && !address.bucket.includes('.')) {
    return `${base.protocol}//${address.bucket}.${base.host}/${path}`;
  }
  return `${base.origin}/${address.bucket}/${path}`;
}

const ignore = () => undefined;
// The client's warnings are about its own retries, which are disabled.
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
const isSize = (value: string): boolean => /^\d{1,15}$/.test(value);

/**
 * Removes invalid sizes and times from a listing: because of a single one, the client would reject
 * the whole page. Text in XML contains no `<`.
 */
const tidyListing = (xml: string): string =>
  xml
    .replace(/<LastModified>([^<]*)<\/LastModified>/g, (whole, value: string) => (isTime(value) ? whole : ''))
    .replace(/<Size>([^<]*)<\/Size>/g, (whole, value: string) => (isSize(value) ? whole : ''));

/** Adds `tidyListing` to the client. */
function tidyListings(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const { response } = result;
        const isListing = commandName === 'ListObjectsV2Command' && typeof response === 'object' && response !== null;
        if (isListing && 'body' in response && response.body instanceof Readable) {
          response.body = Readable.from([Buffer.from(tidyListing(await text(response.body)))], { objectMode: false });
        }
        return result;
      },
    { step: 'deserialize', name: 'tidyListings', priority: 'low' },
  );
}

/**
 * Creates a client with only these credentials: it reads nothing from the environment, and all
 * connections are guarded.
 */
export function createS3Client(
  sdk: S3Sdk,
  address: BucketAddress,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  egress: EgressGuard,
): S3Client {
  const client = new sdk.S3Client({
    region: address.region,
    endpoint: endpointOf(address),
    // Few servers other than Amazon's support bucket host names and the newer checksums.
    forcePathStyle: address.endpoint !== undefined || address.bucket.includes('.'),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    requestHandler: {
      httpAgent: egress.httpAgent,
      httpsAgent: egress.httpsAgent,
      connectionTimeout: 10_000,
      requestTimeout: 30_000,
      throwOnRequestTimeout: true,
      socketTimeout: 30_000,
    },
    // Callers retry, because they know how long a job can wait.
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    disableS3ExpressSessionAuth: true,
    disableMultiregionAccessPoints: true,
    authSchemePreference: [],
    sigv4aSigningRegionSet: [],
    userAgentAppId: 'lectern',
    logger: silent,
  });
  tidyListings(client);
  return client;
}
