import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { type NatsCluster, natsConfig } from '#nats/config';
import type { NatsUser } from '#nats/users';
import { natsVersion } from '#nats/version';
import type { PortChoice } from '#on-free-port';
import { waitUntil } from '#process/wait-until';
import { type Engine, startEngine } from '#start-engine';

/** How to start nats-server. */
export type StartNatsOptions = PortChoice & {
  /** The path of the program, for example from `ensureNatsServer`. */
  readonly binary: string;
  /** Created if missing. `<storeDir>.conf` and `<storeDir>.pid.json` are next to it. */
  readonly storeDir: string;
  /** Default true: messages are synced to disk before they are acknowledged (from version 2.10). */
  readonly durable?: boolean;
  /**
   * The users that can connect. The engine's URL contains the first one. Without users, anyone can
   * connect, for tests.
   */
  readonly users?: readonly NatsUser[];
  /** Makes the server a member of a cluster on this machine. */
  readonly cluster?: NatsCluster;
  readonly logFile?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Starts nats-server with JetStream on 127.0.0.1, and waits until it accepts clients. First stops a
 * server that a killed launcher left behind on the same store. Throws an `EngineError`.
 */
export async function startNats(options: StartNatsOptions): Promise<Engine> {
  const storeDir = resolve(options.storeDir);
  const configFile = `${storeDir}.conf`;
  const { users = [] } = options;
  const version = await natsVersion(options.binary);
  await mkdir(dirname(storeDir), { recursive: true });
  return startEngine({
    pidFile: `${storeDir}.pid.json`,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    port: options,
    processOn: async (port) => {
      const text = natsConfig({
        port,
        storeDir,
        durable: options.durable ?? true,
        version,
        users,
        cluster: options.cluster,
      });
      // `writeFile` would not change the permissions of an existing file.
      await rm(configFile, { force: true });
      await writeFile(configFile, text, { mode: 0o600 });
      return {
        name: 'nats-server',
        command: options.binary,
        args: ['--config', configFile],
        cwd: dirname(storeDir),
        readiness: (signal) => waitForGreeting(port, signal),
        signal: options.signal,
        ...(options.logFile === undefined ? {} : { logFile: options.logFile }),
      };
    },
    urlOn: (port) => natsUserUrl(`nats://127.0.0.1:${port}`, users[0]),
  });
}

/** Returns the URL of the server with the credentials of a user. */
export function natsUserUrl(url: string, user: Pick<NatsUser, 'name' | 'password'> | undefined): string {
  const { host } = new URL(url);
  if (user === undefined) return `nats://${host}`;
  return `nats://${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@${host}`;
}

/** Resolves when the server sends the INFO line of the client protocol and JetStream is enabled. */
async function waitForGreeting(port: number, signal: AbortSignal): Promise<void> {
  const isGreeted = async () => (await firstLine(port, signal)).startsWith('INFO ');
  await waitUntil(isGreeted, { what: 'NATS', signal });
}

function firstLine(port: number, signal: AbortSignal): Promise<string> {
  return new Promise((settle) => {
    const socket = connect({ host: '127.0.0.1', port, signal });
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      settle(data.toString('utf8'));
      socket.destroy();
    });
    socket.once('close', () => settle(''));
  });
}
