import { jsonBody } from '@lectern/api-spec';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/**
 * One JSON-RPC message. MCP has not allowed batches since 2025-06-18, and a batch would be many
 * calls that count as one request.
 */
export const messageBody = jsonBody(
  z
    .looseObject(
      { jsonrpc: z.literal('2.0'), method: z.string().optional() },
      {
        error: (issue) => (Array.isArray(issue.input) ? 'must be one JSON-RPC message, not a batch' : undefined),
      },
    )
    .refine(
      (value) => JSONRPCMessageSchema.safeParse(value).success,
      'must be a JSON-RPC message, for example one with a method',
    ),
);
