import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface Mail {
  readonly to: string;
  readonly raw: string;
}

export interface MailServer {
  readonly received: readonly Mail[];
  readonly state: { isDown: boolean };
  /** The value of SMTP_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A mail server that rejects messages while `isDown`, and requires a password. */
export async function startMailServer(): Promise<MailServer> {
  const received: Mail[] = [];
  const state = { isDown: false };
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'lectern' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('Invalid login')),
    onRcptTo: (_address, _session, done) =>
      done(state.isDown ? Object.assign(new Error('busy'), { responseCode: 451 }) : null),
    onData: async (stream, { envelope }, done) => {
      const raw = await text(stream);
      for (const { address } of envelope.rcptTo) received.push({ to: address, raw });
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    state,
    url: `smtp://lectern:p%40ss@127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
