import { connect } from 'node:net';

/** True if a server accepts TCP connections at the address. Never throws. */
export function isListening(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (answers: boolean) => {
      socket.destroy();
      settle(answers);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
