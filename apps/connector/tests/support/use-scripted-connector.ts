import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { connectorTypes } from '@lectern/connectors';
import type { Connector, SyncJob } from '@lectern/contracts';
import type { ConnectorClient } from './connector-client.ts';
import { newCollection } from './connector-client.ts';
import type { FakeDocument } from './fake-collection.ts';
import { createScriptedSource, type ScriptedSource } from './scripted-source.ts';
import { startSystem, type TestSystem } from './start-system.ts';

type SyncOrder = NonNullable<Parameters<ConnectorClient['sync']>[1]>;

/** A service for a suite and, for each of its tests, a new connector of an empty scripted source. */
export interface ScriptedConnector {
  readonly source: ScriptedSource;
  readonly system: TestSystem;
  readonly client: ConnectorClient;
  /** The test's connector; a test may put another in its place. */
  connector: Connector;
  /** Gives the source so many items: `item-0000` and so on. */
  fill(count: number): void;
  /** Syncs, and answers with the job when it has ended. */
  sync(order?: SyncOrder): Promise<SyncJob>;
  /** The connector as it is now. */
  read(): Promise<Connector>;
  /** Its documents that are not deleted. */
  live(): FakeDocument[];
  /** Their items' ids, sorted. */
  liveIds(): string[];
  document(id: string): FakeDocument;
}

/** Registers what the suite needs with Jest. */
export function useScriptedConnector(
  env: Record<string, string> = {},
  type: 'scripted' | 'scripted_rich' = 'scripted',
): ScriptedConnector {
  const source = createScriptedSource();
  let system: TestSystem;
  let connector: Connector;

  beforeAll(async () => {
    system = await startSystem({ env, overrides: { types: [...connectorTypes, source.type, source.richType] } });
  });
  afterAll(() => system.stop());
  beforeEach(async () => {
    source.reset();
    system.collection.beforeIndex = async () => undefined;
    connector = await system.client.createConnector(newCollection(system.collection.collections), type);
  });

  const live = () => system.collection.live(connector.id);
  return {
    source,
    get system() {
      return system;
    },
    get client() {
      return system.client;
    },
    get connector() {
      return connector;
    },
    set connector(other) {
      connector = other;
    },
    fill: (count) => {
      for (let n = 0; n < count; n += 1) source.items.set(`item-${String(n).padStart(4, '0')}`, `text ${n}`);
    },
    sync: async (order = {}) => {
      const { id } = await system.client.sync(connector.id, order);
      return system.client.ended(connector.id, id);
    },
    read: () => system.client.connectors.getConnector({ id: connector.id }, system.client.as()),
    live,
    liveIds: () =>
      live()
        .map((document) => document.externalId)
        .sort(),
    document: (id) => {
      const found = live().find((document) => document.externalId === id);
      if (found === undefined) throw new Error(`There is no document of ${id}.`);
      return found;
    },
  };
}
