import { STATUS_CODES } from 'node:http';
import { CODES_BY_STATUS, describeCodes, errorStatuses } from '#openapi/error-codes';
import { errorHeaders } from '#openapi/headers';
import type { OperationSpec } from '#operation';

/** The name of an error response in the components, for example `NotFound`. */
const nameOf = (status: number): string => (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/\W/g, '');

/** One response per error status. The codes of a status are the same for all operations. */
export function errorComponents(): Readonly<Record<string, object>> {
  const responses = [...CODES_BY_STATUS].map(([status, codes]) => {
    const narrowed = {
      properties: {
        error: {
          description: 'The error.',
          properties: { code: { enum: codes, description: 'The error code.' } },
        },
      },
    };
    const schema = { allOf: [{ $ref: '#/components/schemas/ErrorAnswer' }, narrowed] };
    const content = { 'application/json': { schema } };
    return [nameOf(status), { description: describeCodes(codes), headers: errorHeaders(status), content }];
  });
  return Object.fromEntries(responses);
}

/** References to the error responses of an operation, by status. */
export function errorResponses(operation: OperationSpec): Readonly<Record<string, object>> {
  const refs = errorStatuses(operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/${nameOf(status)}` },
  ]);
  return Object.fromEntries(refs);
}
