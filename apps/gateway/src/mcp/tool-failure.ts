import { AppError, toAppError } from '@lectern/service-kit';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyedCall } from '#pipeline/operation';

const late = () => new AppError('timeout', 'The tool took too long. Request less, or retry.');

function detailsOf({ details }: AppError): string {
  const issues = details?.issues;
  return Array.isArray(issues) ? `\n${JSON.stringify(issues)}` : '';
}

/**
 * Converts an error to a tool result that the assistant can read. An unknown error is logged with
 * its cause, which the result omits.
 */
export function toolFailure(thrown: unknown, tool: string, { requestId, log, usage }: KeyedCall): CallToolResult {
  usage.failed = true;
  const known = toAppError(thrown);
  const error = known.code === 'cancelled' ? late() : known;
  if (error.code === 'internal_error') log.error({ err: thrown, tool }, 'tool failed');
  else log.debug({ code: error.code, tool }, 'tool call rejected');
  const text = `${error.message} (${error.code}, request ${requestId})${detailsOf(error)}`;
  return { content: [{ type: 'text', text }], isError: true };
}
