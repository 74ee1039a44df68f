import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const refuse = (): never => {
  throw new Error('A parser may not use the network');
};

/**
 * Takes the network away from this process: HTTP, TLS and fetch all connect through net.Socket. A parser has no reason
 * to call anyone, and a document that makes one do so is an attack.
 */
export const cutNetwork = (): void => {
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dgram.createSocket = refuse;
  dns.lookup = Object.assign(refuse, { __promisify__: refuse });
  dns.promises.lookup = refuse;
  Reflect.deleteProperty(globalThis, 'fetch');
  Reflect.deleteProperty(globalThis, 'WebSocket');
  Reflect.deleteProperty(globalThis, 'EventSource');
  syncBuiltinESMExports();
};
