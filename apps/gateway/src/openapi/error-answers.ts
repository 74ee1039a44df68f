import { STATUS_CODES } from 'node:http';
import type { Operation } from '#http/operation';
import { CODES_BY_STATUS, describeCodes, errorStatuses } from '#openapi/error-codes';
import { errorHeaders } from '#openapi/headers';

/** The name of an error's answer among the components: `NotFound`. */
const nameOf = (status: number): string => (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/\W/g, '');

/** The answer of every status that an error may have. The codes of each status are the same everywhere. */
export function errorComponents(): Readonly<Record<string, object>> {
  const answers = [...CODES_BY_STATUS].map(([status, codes]) => {
    const narrowed = { properties: { error: { properties: { code: { enum: codes } } } } };
    const schema = { allOf: [{ $ref: '#/components/schemas/ErrorAnswer' }, narrowed] };
    const content = { 'application/json': { schema } };
    return [nameOf(status), { description: describeCodes(codes), headers: errorHeaders(status), content }];
  });
  return Object.fromEntries(answers);
}

/** The errors that an operation may answer, by their statuses. */
export function errorAnswers(operation: Operation): Readonly<Record<string, object>> {
  const refs = errorStatuses(operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/${nameOf(status)}` },
  ]);
  return Object.fromEntries(refs);
}
