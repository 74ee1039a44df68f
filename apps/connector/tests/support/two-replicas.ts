import { startTestService, type TestService, waitUntil } from '@lectern/testing';
import { type ConnectorClient, createConnectorClient } from './connector-client.ts';
import type { TestSystem } from './start-system.ts';

/** The service as two child processes on the engines of a system. */
export interface TwoReplicas {
  readonly replicas: readonly [TestService, TestService];
  /** Clients of one team, one for each replica. */
  readonly clients: readonly [ConnectorClient, ConnectorClient];
  /**
   * Kills and restarts the replicas in turns until `isDone`: whenever `progress` has grown by `step`.
   * Returns the number of kills.
   */
  killInTurns(options: {
    readonly progress: () => number;
    readonly step: number;
    readonly isDone: () => boolean;
  }): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the service as two child processes, and stops the one in this process. */
export async function startTwoReplicas(system: TestSystem): Promise<TwoReplicas> {
  await system.stopReplicas();
  const start = () => startTestService('connector', { ...system.env, WORK_LEASE_MS: '10000' });
  const replicas = await Promise.all([start(), start()]);
  const first = createConnectorClient(replicas[0].address);
  const clients = [first, createConnectorClient(replicas[1].address, first.caller)] as const;
  return {
    replicas,
    clients,
    killInTurns: async ({ progress, step, isDone }) => {
      let kills = 0;
      while (!isDone()) {
        const next = progress() + step;
        await waitUntil(() => isDone() || progress() >= next, { what: 'more progress', timeoutMs: 120_000 });
        if (isDone()) break;
        const replica = replicas[kills % 2 === 0 ? 0 : 1];
        await replica.kill();
        kills += 1;
        await replica.restart();
      }
      return kills;
    },
    stop: async () => {
      for (const client of clients) client.close();
      await Promise.all(replicas.map((replica) => replica.stop()));
    },
  };
}
