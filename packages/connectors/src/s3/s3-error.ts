import { networkError } from '#http/network-error';
import { retryDate } from '#http/retry-after';
import { SourceError, type SourceErrorKind } from '#source-error';

// Amazon does not return a time to retry.
const SLOW_DOWN_MS = 1_500;

type Known = readonly [SourceErrorKind, string];
const rejected: Known = ['auth', 'S3 rejected the access key or its secret. Update the credentials of the connector.'];
const tooFast: Known = ['rate', 'S3 limits the request rate. The sync continues later.'];
const noBucket: Known = ['invalid', 'The bucket does not exist. Check its name, region and endpoint.'];

// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
const BY_CODE: Readonly<Record<string, Known>> = {
  InvalidAccessKeyId: rejected,
  SignatureDoesNotMatch: rejected,
  InvalidSecurity: rejected,
  AccountProblem: rejected,
  ExpiredToken: ['auth', 'The session token has expired. Update the credentials of the connector.'],
  InvalidToken: ['auth', 'S3 rejected the session token. Update the credentials of the connector.'],
  TokenRefreshRequired: ['auth', 'The session token has expired. Update the credentials of the connector.'],
  AccessDenied: [
    'forbidden',
    'S3 denies access. The credentials need s3:ListBucket on the bucket and s3:GetObject on its objects.',
  ],
  AllAccessDisabled: ['forbidden', 'Access to this object is disabled.'],
  NoSuchBucket: noBucket,
  InvalidBucketName: noBucket,
  NoSuchKey: ['gone', 'The object no longer exists.'],
  NotFound: ['gone', 'The object no longer exists.'],
  InvalidObjectState: ['invalid', 'The object is archived (Glacier). Restore it in S3, then sync again.'],
  AuthorizationHeaderMalformed: ['invalid', 'The bucket is not in the region of config.region.'],
  PermanentRedirect: ['invalid', 'The bucket is not in the region of config.region.'],
  IllegalLocationConstraintException: ['invalid', 'The bucket is not in the region of config.region.'],
  RequestTimeTooSkewed: ['invalid', "Lectern's clock differs from the clock of S3 by more than 15 minutes."],
  EntityTooLarge: ['too_large', 'The file is larger than the bucket allows.'],
  SlowDown: tooFast,
  ServiceUnavailable: tooFast,
  Throttling: tooFast,
  ThrottlingException: tooFast,
  RequestLimitExceeded: tooFast,
  TooManyRequests: tooFast,
  TimeoutError: ['transient', 'S3 did not respond in time.'],
  RequestTimeout: ['transient', 'S3 did not respond in time.'],
  InternalError: ['transient', 'S3 returned a server error. Try again later.'],
};

/** An error of the client. */
interface ServiceError {
  readonly name: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function readServiceError(error: unknown): ServiceError | undefined {
  if (!isRecord(error) || typeof error.name !== 'string') return undefined;
  const { $metadata: metadata, $response: response } = error;
  const status =
    isRecord(metadata) && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
  const headers = isRecord(response) && isRecord(response.headers) ? response.headers : {};
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { name: error.name, status, headers: Object.fromEntries(texts) };
}

function byStatus(status: number | undefined): Known | undefined {
  if (status === undefined) return undefined;
  if (status === 401) return rejected;
  if (status === 403) return BY_CODE.AccessDenied;
  if (status === 404) return BY_CODE.NoSuchKey;
  if (status === 429 || status === 503) return tooFast;
  if (status === 301 || status === 307) return BY_CODE.PermanentRedirect;
  if (status >= 500 || status === 408) return BY_CODE.InternalError;
  // A successful response that could not be parsed.
  if (status < 300) return ['transient', 'The endpoint returned an invalid S3 response. Check the endpoint.'];
  return ['invalid', `S3 rejected the request (HTTP ${status}).`];
}

/**
 * Returns the meaning of an error by its code, else by its status. A 401 or 403 is never transient.
 */
function meaningOf({ name, status }: ServiceError): Known | undefined {
  const known = BY_CODE[name];
  const isDenied = status === 401 || status === 403;
  return known === undefined || (isDenied && known[0] === 'transient') ? byStatus(status) : known;
}

/** Translates an error of the client. */
export function s3Error(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const response = readServiceError(error);
  const known = response === undefined ? undefined : meaningOf(response);
  if (response === undefined || known === undefined) return networkError('S3', error);
  const [kind, message] = known;
  const region = response.headers['x-amz-bucket-region'];
  const inRegion = known === BY_CODE.PermanentRedirect || known === BY_CODE.AuthorizationHeaderMalformed;
  const text = inRegion && region !== undefined ? `${message} It is in ${region}.` : message;
  if (kind !== 'rate') return new SourceError(kind, text, { cause: error });
  const retryAt = retryDate(response.headers['retry-after']) ?? new Date(Date.now() + SLOW_DOWN_MS);
  return new SourceError('rate', text, { cause: error, retryAt });
}
