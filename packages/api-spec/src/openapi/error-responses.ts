import { refTo } from '#openapi/components';
import { CODES_BY_STATUS, describeCodes, errorStatuses, nameOfStatus } from '#openapi/error-codes';
import { errorHeaders } from '#openapi/headers';
import type { OperationSpec } from '#operation';

/** One response per error status. The codes of a status are the same for all operations. */
export function errorComponents(): Readonly<Record<string, object>> {
  const responses = [...CODES_BY_STATUS].map(([status, codes]) => {
    const content = { 'application/json': { schema: refTo('ErrorAnswer') } };
    return [nameOfStatus(status), { description: describeCodes(codes), headers: errorHeaders(status), content }];
  });
  return Object.fromEntries(responses);
}

/** References to the error responses of an operation, by status. */
export function errorResponses(operation: OperationSpec): Readonly<Record<string, object>> {
  const refs = errorStatuses(operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/${nameOfStatus(status)}` },
  ]);
  return Object.fromEntries(refs);
}
