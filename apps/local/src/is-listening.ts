import { connect } from 'node:net';

/** Returns true if a server accepts TCP connections at the address. Never throws. */
export function isListening(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (accepts: boolean) => {
      socket.destroy();
      settle(accepts);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
