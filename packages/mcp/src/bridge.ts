import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** The JSON-RPC code for server errors (https://www.jsonrpc.org/specification#error_object). */
const SERVER_ERROR = -32_000;

/** Returns the protocol version in the response to `initialize`. Later HTTP requests send it in a header. */
function negotiatedVersion(message: JSONRPCMessage): string | undefined {
  if (!('result' in message)) return undefined;
  const { protocolVersion } = message.result;
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

/**
 * Forwards messages between a local MCP client and a remote server until `local` closes. If a
 * request cannot be sent, the client gets an error response, so that it does not wait.
 */
export async function bridge(local: Transport, remote: Transport, log: (line: string) => void): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const forward = async (message: JSONRPCMessage) => {
    try {
      await remote.send(message);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(reason);
      if (!isJSONRPCRequest(message)) return;
      const failure = { code: SERVER_ERROR, message: `Cannot connect to Lectern: ${reason}` };
      await local.send({ jsonrpc: '2.0', id: message.id, error: failure });
    }
  };
  local.onmessage = (message) => void forward(message);
  local.onclose = () => closed.resolve();
  local.onerror = ({ message }) => log(message);
  remote.onmessage = (message) => {
    const version = negotiatedVersion(message);
    if (version !== undefined) remote.setProtocolVersion?.(version);
    void local.send(message);
  };
  remote.onerror = ({ message }) => log(message);
  await remote.start();
  await local.start();
  await closed.promise;
  await remote.close();
}
