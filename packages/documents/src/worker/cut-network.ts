import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const deny = (): never => {
  throw new Error('A parser must not use the network.');
};

/**
 * Disables the network in this process: HTTP, TLS and fetch all connect through net.Socket. A
 * parser never needs it, so a document that makes it connect is an attack.
 */
export const cutNetwork = (): void => {
  net.Socket.prototype.connect = deny;
  net.Server.prototype.listen = deny;
  dgram.createSocket = deny;
  dns.lookup = Object.assign(deny, { __promisify__: deny });
  dns.promises.lookup = deny;
  Reflect.deleteProperty(globalThis, 'fetch');
  Reflect.deleteProperty(globalThis, 'WebSocket');
  Reflect.deleteProperty(globalThis, 'EventSource');
  syncBuiltinESMExports();
};
