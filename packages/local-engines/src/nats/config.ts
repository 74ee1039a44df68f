import { authorization, type NatsUser } from '#nats/users';
import { isAtLeast, type NatsVersion } from '#nats/version';

/** The variable parts of the configuration. */
export type NatsConfigOptions = {
  readonly port: number;
  readonly storeDir: string;
  readonly durable: boolean;
  readonly version: NatsVersion;
  /** The users that can connect. If empty, anyone can. */
  readonly users: readonly NatsUser[];
};

/**
 * Returns the configuration of a server for one machine: JetStream on, monitoring off, 127.0.0.1 only. Servers
 * before 2.10 reject `sync_interval` and sync every two minutes: a kill -9 loses nothing, but a power
 * cut can.
 */
export function natsConfig({ port, storeDir, durable, version, users }: NatsConfigOptions): string {
  const sync = durable && isAtLeast(version, { major: 2, minor: 10 }) ? '\n  sync_interval: always' : '';
  return `# Written by Lectern at every start
listen: "127.0.0.1:${port}"
server_name: lectern
jetstream {
  store_dir: ${JSON.stringify(storeDir)}${sync}
}
${users.length === 0 ? '' : authorization(users)}`;
}
