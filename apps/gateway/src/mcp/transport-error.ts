import { z } from 'zod';

const transportError = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

/**
 * Adds `data` to an error of the transport itself, for example about the protocol version or
 * `Accept`.
 */
export function withErrorData(bytes: Buffer, requestId: string): Buffer {
  const { error } = transportError.parse(JSON.parse(bytes.toString()));
  const data = { code: 'invalid_request', requestId };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { ...error, data }, id: null }));
}
