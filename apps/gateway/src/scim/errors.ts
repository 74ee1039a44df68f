import type { ServerResponse } from 'node:http';
import { httpStatusOfCode } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';
const CONTENT_TYPE = 'application/scim+json; charset=utf-8';

/** The error types of RFC 7644, 3.12, that Lectern uses. */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'noTarget' | 'uniqueness';

/** Creates an error with its type: 409 for `uniqueness`, 400 for the others. */
export const scimError = (scimType: ScimType, message: string): AppError =>
  new AppError(scimType === 'uniqueness' ? 'conflict' : 'invalid_request', message, { details: { scimType } });

/** Sends a resource or a message. */
export function sendScim(response: ServerResponse, status: number, body?: object): void {
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('Content-Type', CONTENT_TYPE);
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** Sends an error in the form of RFC 7644, 3.12. */
export function sendScimError(response: ServerResponse, { code, message, details }: AppError): void {
  const status = httpStatusOfCode(code);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="Lectern SCIM"');
  if (code === 'unavailable') response.setHeader('Retry-After', 1);
  const scimType = details?.scimType;
  const type = typeof scimType === 'string' ? { scimType } : {};
  sendScim(response, status, { schemas: [ERROR_SCHEMA], status: String(status), ...type, detail: message });
}
