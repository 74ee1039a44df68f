import type { ServerResponse } from 'node:http';
import { httpStatusOfCode } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';

/** The errors of RFC 6749, 7009, 7591 and 8707. */
type OauthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** An error with a code of OAuth. */
export class OauthError extends AppError {
  readonly oauthCode: OauthCode;

  constructor(oauthCode: OauthCode, message: string) {
    super(oauthCode === 'invalid_client' ? 'unauthorized' : 'invalid_request', message);
    this.oauthCode = oauthCode;
  }
}

/** Returns the code for an error that is not one of OAuth. */
function codeOf({ code }: AppError): string {
  const status = httpStatusOfCode(code);
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** Sends an error in the form of RFC 6749, 5.2. */
export function sendOauthError(response: ServerResponse, error: AppError): void {
  const body = {
    error: error instanceof OauthError ? error.oauthCode : codeOf(error),
    error_description: error.message,
  };
  const bytes = Buffer.from(JSON.stringify(body));
  const retryAfter = error.details?.retryAfter;
  if (error.code === 'rate_limited' && typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
  response.writeHead(httpStatusOfCode(error.code), {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
