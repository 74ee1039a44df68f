import { join } from 'node:path';
import { findFreePort, startNats } from '@lectern/local-engines';
import { temporaryFolder } from '#engines/temporary-folder';
import { waitUntil } from '#wait-until';

/** One server of a cluster. */
export interface NatsClusterMember {
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it, and waits until it has the data of its streams again. */
  restart(): Promise<void>;
}

/** Three nats-servers that a test can kill and restart one by one. */
export interface TestNatsCluster {
  /** The addresses of all servers, with commas between them. */
  readonly url: string;
  readonly members: readonly NatsClusterMember[];
  stop(): Promise<void>;
}

const SIZE = 3;

/** Starts a cluster with JetStream. `binary` is the path of nats-server. */
export async function testNatsCluster(binary: string): Promise<TestNatsCluster> {
  const folder = await temporaryFolder();
  const servers = await Promise.all(
    Array.from({ length: SIZE }, async (_, at) => ({
      port: await findFreePort(),
      storeDir: join(folder.path, `nats-${at}`),
      cluster: { serverName: `nats-${at}`, port: await findFreePort(), monitorPort: await findFreePort() },
    })),
  );
  const peers = servers.map(({ cluster }) => cluster.port);
  const start = ({ cluster, ...server }: (typeof servers)[number]) =>
    startNats({ binary, ...server, portIsFixed: true, cluster: { ...cluster, peers } });
  /** `/healthz` also checks that JetStream has a leader and that all streams are up to date. */
  const untilHealthy = ({ cluster }: (typeof servers)[number]) =>
    waitUntil(
      async () => {
        const response = await fetch(`http://127.0.0.1:${cluster.monitorPort}/healthz`).catch(() => undefined);
        return response?.ok === true;
      },
      { what: `${cluster.serverName} to be healthy`, timeoutMs: 60_000 },
    );
  const members = await Promise.all(
    servers.map(async (server) => {
      let running = await start(server);
      return {
        kill: async () => {
          process.kill(running.pid, 'SIGKILL');
          await running.exited;
        },
        restart: async () => {
          await running.stop();
          running = await start(server);
          await untilHealthy(server);
        },
        stop: () => running.stop(),
      };
    }),
  );
  await Promise.all(servers.map(untilHealthy));
  return {
    url: servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    members,
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()));
      await folder.remove();
    },
  };
}
