import { z } from 'zod';

const refusal = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

/**
 * A refusal of the transport's own (another revision of the protocol, an Accept that leaves a media type out), with the `data` that all
 * refusals have.
 */
export function withRefusalData(bytes: Buffer, requestId: string): Buffer {
  const { error } = refusal.parse(JSON.parse(bytes.toString()));
  const data = { code: 'invalid_request', requestId };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { ...error, data }, id: null }));
}
