import { networkError } from '../http/network-error.ts';
import { retryDate } from '../http/retry-after.ts';
import { SourceError, type SourceErrorKind } from '../source-error.ts';

// Amazon names no time; it suggests to slow down.
const SLOW_DOWN_MS = 1_500;

type Known = readonly [SourceErrorKind, string];
const rejected: Known = ['auth', 'S3 does not accept the access key or its secret.'];
const tooFast: Known = ['rate', 'S3 asks for fewer requests.'];
const noBucket: Known = ['invalid', 'There is no such bucket. Check its name, region and endpoint.'];

// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
const BY_CODE: Readonly<Record<string, Known>> = {
  InvalidAccessKeyId: rejected,
  SignatureDoesNotMatch: rejected,
  InvalidSecurity: rejected,
  AccountProblem: rejected,
  ExpiredToken: ['auth', 'The session token has expired. Enter new credentials.'],
  InvalidToken: ['auth', 'S3 does not accept the session token.'],
  TokenRefreshRequired: ['auth', 'The session token has expired. Enter new credentials.'],
  AccessDenied: [
    'forbidden',
    'S3 refuses access. The credentials need s3:ListBucket on the bucket and s3:GetObject on its objects.',
  ],
  AllAccessDisabled: ['forbidden', 'Access to this is switched off.'],
  NoSuchBucket: noBucket,
  InvalidBucketName: noBucket,
  NoSuchKey: ['gone', 'The object does not exist any more.'],
  NotFound: ['gone', 'The object does not exist any more.'],
  InvalidObjectState: ['invalid', 'The object is archived (Glacier). Restore it in S3, then synchronise again.'],
  AuthorizationHeaderMalformed: ['invalid', 'The bucket is in another region than config.region.'],
  PermanentRedirect: ['invalid', 'The bucket is in another region than config.region.'],
  IllegalLocationConstraintException: ['invalid', 'The bucket is in another region than config.region.'],
  RequestTimeTooSkewed: ['invalid', "Lectern's clock differs from the clock of S3 by more than 15 minutes."],
  EntityTooLarge: ['too_large', 'The file is larger than the bucket takes.'],
  SlowDown: tooFast,
  ServiceUnavailable: tooFast,
  Throttling: tooFast,
  ThrottlingException: tooFast,
  RequestLimitExceeded: tooFast,
  TooManyRequests: tooFast,
  TimeoutError: ['transient', 'S3 did not answer in time.'],
  RequestTimeout: ['transient', 'S3 did not answer in time.'],
  InternalError: ['transient', 'S3 has a fault of its own at the moment.'],
};

/** What the client's errors carry beside their name. */
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
  // An answer that is fine by its status but could not be read.
  if (status < 300) return ['transient', 'S3 answered with something that is not S3.'];
  return ['invalid', `S3 refused the request (status ${status}).`];
}

/** By the code that the server gives, else by the status. A refusal stays one, whatever code stands beside it. */
function meaningOf({ name, status }: ServiceError): Known | undefined {
  const known = BY_CODE[name];
  const isRefusal = status === 401 || status === 403;
  return known === undefined || (isRefusal && known[0] === 'transient') ? byStatus(status) : known;
}

/** What the client threw, as a source says it. */
export function s3Error(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const said = readServiceError(error);
  const known = said === undefined ? undefined : meaningOf(said);
  if (said === undefined || known === undefined) return networkError('S3', error);
  const [kind, message] = known;
  const region = said.headers['x-amz-bucket-region'];
  const inRegion = known === BY_CODE.PermanentRedirect || known === BY_CODE.AuthorizationHeaderMalformed;
  const text = inRegion && region !== undefined ? `${message} It is in ${region}.` : message;
  if (kind !== 'rate') return new SourceError(kind, text, { cause: error });
  const retryAt = retryDate(said.headers['retry-after']) ?? new Date(Date.now() + SLOW_DOWN_MS);
  return new SourceError('rate', text, { cause: error, retryAt });
}
