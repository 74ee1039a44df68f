import { createHash, randomUUID } from 'node:crypto';
import { createPageTokens, type PageTokens } from '#emulators/platform/page-tokens';
import {
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';
import { decodeAwsChunked } from '#emulators/s3/aws-chunked';
import { element, s3Error, urlEncoded, xmlAnswer } from '#emulators/s3/s3-responses';
import { type S3Account, verifySignature } from '#emulators/s3/verify-signature';

export interface S3Object {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly lastModified: Date;
  readonly contentType: string;
  readonly contentEncoding?: string;
  readonly storageClass: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface S3Server extends PlatformServer, S3Account {
  readonly bucket: string;
  readonly objects: ReadonlyMap<string, S3Object>;
  put(key: string, content: string | Uint8Array, more?: Partial<Omit<S3Object, 'bytes'>>): void;
  remove(key: string): void;
  /** Sets the maximum page size. */
  setPageSize(keys: number): void;
  /** Invalidates all continuation tokens. */
  expireTokens(): void;
  /** Objects with this prefix are listed, but reading them is denied. Undefined allows all. */
  denyReading(prefix: string | undefined): void;
}

export interface S3ServerOptions {
  /** The maximum page size; default 1,000. */
  readonly pageSize?: number;
  readonly region?: string;
  /** False for a server without EncodingType. Default true. */
  readonly encodesKeys?: boolean;
}

/** S3's error code by status. */
const REFUSALS: Readonly<Record<number, string>> = { 403: 'AccessDenied', 429: 'SlowDown', 503: 'SlowDown' };

interface State {
  readonly objects: Map<string, S3Object>;
  readonly pages: PageTokens<string>;
  readonly options: S3ServerOptions;
  readonly bucket: string;
  denied: string | undefined;
  pageSize: number;
}

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function list(state: State, { query }: PlatformRequest): PlatformResponse {
  if (query.get('list-type') !== '2') return s3Error(501, 'NotImplemented', 'Only ListObjectsV2 is implemented.');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : state.pages.read(prefix, token);
  if (after === undefined) return s3Error(400, 'InvalidArgument', 'The continuation token provided is incorrect');
  const encodes = query.get('encoding-type') === 'url' && state.options.encodesKeys !== false;
  const maxKeys = Number(query.get('max-keys') ?? 1_000);
  const size = Math.min(maxKeys, state.pageSize);
  const keys = [...state.objects.keys()]
    .filter((key) => key.startsWith(prefix) && (after === '' || compareBytes(key, after) > 0))
    .sort(compareBytes);
  const page = keys.slice(0, size);
  const truncated = keys.length > page.length;
  const write = (key: string) => (encodes ? urlEncoded(key) : key);
  const contents = page.flatMap((key) => {
    const object = state.objects.get(key);
    if (object === undefined) return [];
    return {
      Key: write(key),
      LastModified: object.lastModified.toISOString(),
      ETag: object.etag,
      Size: object.bytes.byteLength,
      StorageClass: object.storageClass,
    };
  });
  return xmlAnswer(
    200,
    element('ListBucketResult', {
      Name: state.bucket,
      Prefix: write(prefix),
      KeyCount: page.length,
      MaxKeys: maxKeys,
      EncodingType: encodes ? 'url' : undefined,
      IsTruncated: truncated,
      ContinuationToken: token ?? undefined,
      NextContinuationToken: truncated ? state.pages.issue(prefix, page.at(-1) ?? '') : undefined,
      Contents: contents,
    }),
  );
}

function read(state: State, { method, headers }: PlatformRequest, key: string): PlatformResponse {
  const object = state.objects.get(key);
  if (state.denied !== undefined && key.startsWith(state.denied)) return s3Error(403, 'AccessDenied', 'Access Denied');
  if (object === undefined) return s3Error(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
  const facts = {
    etag: object.etag,
    'last-modified': object.lastModified.toUTCString(),
    'content-type': object.contentType,
    ...(object.contentEncoding === undefined ? {} : { 'content-encoding': object.contentEncoding }),
    ...(object.storageClass === 'STANDARD' ? {} : { 'x-amz-storage-class': object.storageClass }),
    ...Object.fromEntries(Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
  };
  if (headers['if-match'] !== undefined && headers['if-match'] !== object.etag) {
    return s3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
  }
  if (headers['if-none-match'] === object.etag) return { status: 304, headers: facts, body: '' };
  if (method === 'GET' && /^(GLACIER|DEEP_ARCHIVE)$/.test(object.storageClass)) {
    return s3Error(403, 'InvalidObjectState', "The operation is not valid for the object's storage class");
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  if (range === null) return { status: 200, headers: facts, body: object.bytes };
  const total = object.bytes.byteLength;
  const from = Number(range[1]);
  const to = Math.min(range[2] === '' ? total - 1 : Number(range[2]), total - 1);
  if (from > to) return s3Error(416, 'InvalidRange', 'The requested range is not satisfiable');
  const partial = { ...facts, 'content-range': `bytes ${from}-${to}/${total}` };
  return { status: 206, headers: partial, body: object.bytes.subarray(from, to + 1) };
}

function write({ headers, bytes }: PlatformRequest): S3Object {
  const body = headers['content-encoding'] === 'aws-chunked' ? decodeAwsChunked(bytes) : bytes;
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return {
    ...newObject(body),
    contentType: headers['content-type'] ?? 'binary/octet-stream',
    metadata: Object.fromEntries(metadata.map(([name, value]) => [name.slice(11), String(value)])),
  };
}

function newObject(content: string | Uint8Array, more: Partial<Omit<S3Object, 'bytes'>> = {}): S3Object {
  const bytes = Buffer.from(content);
  return {
    bytes,
    etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    lastModified: new Date(),
    contentType: 'binary/octet-stream',
    storageClass: 'STANDARD',
    metadata: {},
    ...more,
  };
}

/** An S3 emulator with one path-style bucket. Verifies signatures and the region. */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const account: S3Account = {
    accessKeyId: `AKIA${randomUUID().slice(0, 8).toUpperCase()}`,
    secretAccessKey: `secret/+${randomUUID()}`,
    region: options.region ?? 'eu-central-1',
  };
  const bucket = 'team-files';
  const objects = new Map<string, S3Object>();
  const state: State = {
    objects,
    pages: createPageTokens<string>(),
    options,
    bucket,
    denied: undefined,
    pageSize: options.pageSize ?? 1_000,
  };

  const answer = (request: PlatformRequest): PlatformResponse => {
    const { method } = request;
    const signed = verifySignature(request, account);
    if (signed !== undefined) {
      const { headers = {}, ...errorResponse } = s3Error(signed.status, signed.code, signed.message, {
        Region: account.region,
      });
      return { ...errorResponse, headers: { ...headers, 'x-amz-bucket-region': account.region } };
    }
    const [, name = '', ...rest] = (request.url.split('?', 1)[0] ?? '').split('/');
    const key = decodeURIComponent(rest.join('/'));
    if (name !== bucket)
      return s3Error(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: name });
    if (key === '' && method === 'HEAD')
      return { status: 200, headers: { 'x-amz-bucket-region': account.region }, body: '' };
    if (key === '' && method === 'GET') return list(state, request);
    if (key !== '' && (method === 'GET' || method === 'HEAD')) return read(state, request, key);
    if (key !== '' && method === 'DELETE') {
      objects.delete(key);
      return { status: 204, body: '' };
    }
    if (key === '' || method !== 'PUT') return s3Error(405, 'MethodNotAllowed', 'Not allowed against this resource.');
    const object = write(request);
    objects.set(key, object);
    return { status: 200, headers: { etag: object.etag }, body: '' };
  };

  const server = await startPlatformServer({
    refuse: (status, message) => s3Error(status, REFUSALS[status] ?? 'InternalError', message),
    answer,
  });
  return {
    ...server,
    ...account,
    bucket,
    objects,
    put: (key, content, more) => objects.set(key, newObject(content, more)),
    remove: (key) => objects.delete(key),
    setPageSize: (keys) => {
      state.pageSize = keys;
    },
    expireTokens: () => state.pages.expireAll(),
    denyReading: (prefix) => {
      state.denied = prefix;
    },
  };
}
