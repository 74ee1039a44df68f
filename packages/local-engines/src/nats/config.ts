import { authorization, type NatsUser } from '#nats/users';
import { isAtLeast, type NatsVersion } from '#nats/version';

/** A server's place in a cluster on this machine. */
export interface NatsCluster {
  /** Unique in the cluster. */
  readonly serverName: string;
  /** The port for other servers. */
  readonly port: number;
  /** The port of HTTP monitoring. */
  readonly monitorPort: number;
  /** The ports for other servers of all servers. */
  readonly peers: readonly number[];
}

/** The variable parts of the configuration. */
export type NatsConfigOptions = {
  readonly port: number;
  readonly storeDir: string;
  readonly durable: boolean;
  readonly version: NatsVersion;
  /** The users that can connect. If empty, anyone can. */
  readonly users: readonly NatsUser[];
  readonly cluster?: NatsCluster | undefined;
};

/**
 * Returns the configuration of a server for one machine: JetStream on, 127.0.0.1 only, monitoring only in a cluster. Servers
 * before 2.10 reject `sync_interval` and sync every two minutes: a kill -9 loses nothing, but a power
 * cut can.
 */
export function natsConfig({ port, storeDir, durable, version, users, cluster }: NatsConfigOptions): string {
  const sync = durable && isAtLeast(version, { major: 2, minor: 10 }) ? '\n  sync_interval: always' : '';
  return `# Written by Lectern at every start
listen: "127.0.0.1:${port}"
server_name: ${cluster?.serverName ?? 'lectern'}
jetstream {
  store_dir: ${JSON.stringify(storeDir)}${sync}
}
${cluster === undefined ? '' : clusterConfig(cluster)}${users.length === 0 ? '' : authorization(users)}`;
}

function clusterConfig({ port, monitorPort, peers }: NatsCluster): string {
  const routes = peers.map((peer) => `"nats://127.0.0.1:${peer}"`).join(', ');
  return `http: "127.0.0.1:${monitorPort}"
cluster {
  name: lectern
  listen: "127.0.0.1:${port}"
  routes: [${routes}]
}
`;
}
