import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// It runs as long as the process of the test, which it does not keep alive.
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  const endpoints = { authorization_endpoint: '/auth', token_endpoint: '/token', jwks_uri: '/jwks' };
  const urls = Object.entries(endpoints).map(([name, path]) => [name, `${issuer}${path}`]);
  response.end(JSON.stringify({ issuer, ...Object.fromEntries(urls) }));
}).unref();
server.listen(0, '127.0.0.1');
await once(server, 'listening');

/** The issuer of the identity providers in sample requests. It has only metadata. */
export const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
