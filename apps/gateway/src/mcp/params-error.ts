import { ClientRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** JSON-RPC 2.0, 5.1. */
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

const failure = z.object({ id: z.unknown().optional(), error: z.object({ code: z.literal(INTERNAL_ERROR) }) });

/**
 * Replaces the internal error that the library returns for invalid params by the code that JSON-RPC
 * defines for them.
 */
export function withParamsError(bytes: Buffer, message: { readonly method?: string | undefined }): Buffer {
  // The library reports unknown methods.
  if (ClientRequestSchema.safeParse(message).success) return bytes;
  const failed = failure.safeParse(JSON.parse(bytes.toString()));
  if (!failed.success) return bytes;
  const error = { code: INVALID_PARAMS, message: `Invalid params for ${message.method}.` };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: failed.data.id, error }));
}
