import { once } from 'node:events';
import { connect } from 'node:net';

/** Records everything that is published on a NATS server. Implements the protocol, which is small. */
export async function tapNats(natsUrl: string) {
  const { hostname, port, username, password } = new URL(natsUrl);
  const parts: Buffer[] = [];
  const socket = connect(Number(port), hostname);
  socket.on('data', (bytes) => {
    parts.push(bytes);
    if (bytes.includes('PING\r\n')) socket.write('PONG\r\n');
  });
  await once(socket, 'connect');
  const login = username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, ...login })}\r\nSUB > 1\r\nPING\r\n`);
  return {
    received: () => Buffer.concat(parts).toString('latin1'),
    close: () => socket.destroy(),
  };
}
