import { AppError, toAppError } from '@lectern/service-kit';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { KeyedCall } from '#pipeline/operation';

const late = () => new AppError('timeout', 'This took too long. Ask for less, or try again.');

function detailsOf({ details }: AppError): string {
  const issues = details?.issues;
  return Array.isArray(issues) ? `\n${JSON.stringify(issues)}` : '';
}

/** A failure as MCP wants it: the result of the call, which the assistant reads. What is not known is logged, and told without its cause. */
export function toolFailure(thrown: unknown, tool: string, { requestId, log, usage }: KeyedCall): CallToolResult {
  usage.failed = true;
  const known = toAppError(thrown);
  const error = known.code === 'cancelled' ? late() : known;
  if (error.code === 'internal_error') log.error({ err: thrown, tool }, 'tool failed');
  else log.debug({ code: error.code, tool }, 'tool refused');
  const text = `${error.message} (${error.code}, request ${requestId})${detailsOf(error)}`;
  return { content: [{ type: 'text', text }], isError: true };
}
