import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PlatformRequest } from '#emulators/platform/platform-server';

export interface S3Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** Why a request is rejected, as a code of S3. */
export interface SignatureFault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const MAX_SKEW_MS = 15 * 60_000;
const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
const fault = (status: number, code: string, message: string): SignatureFault => ({ status, code, message });

const rfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return `${rfc3986(decodeURIComponent(name))}=${rfc3986(decodeURIComponent(value))}`;
    })
    .sort()
    .join('&');
}

const parseDate = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Checks Signature Version 4 in the Authorization header. Returns undefined if it is valid. */
export function verifySignature(request: PlatformRequest, account: S3Account): SignatureFault | undefined {
  const { headers } = request;
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (found === null) return fault(403, 'AccessDenied', 'Access Denied');
  const [, accessKeyId = '', day = '', region = '', signedHeaders = '', signature = ''] = found;
  if (accessKeyId !== account.accessKeyId) {
    return fault(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.');
  }
  if (region !== account.region) {
    return fault(400, 'AuthorizationHeaderMalformed', `the region '${region}' is wrong; expecting '${account.region}'`);
  }
  const date = String(headers['x-amz-date'] ?? '');
  if (!date.startsWith(day) || !(Math.abs(Date.now() - parseDate(date)) < MAX_SKEW_MS)) {
    return fault(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the server time is too large.',
    );
  }
  const names = signedHeaders.split(';');
  const unsigned = Object.keys(headers).find((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (!names.includes('host') || unsigned !== undefined)
    return fault(403, 'AccessDenied', 'There were headers that were not signed');
  const payload = String(headers['x-amz-content-sha256'] ?? '');
  const [path = '', query = ''] = request.url.split('?', 2);
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    signedHeaders,
    payload,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${account.secretAccessKey}`, day));
  if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))) {
    return fault(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
  if (/^[0-9a-f]{64}$/.test(payload) && payload !== hash(request.bytes)) {
    return fault(
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  return undefined;
}
