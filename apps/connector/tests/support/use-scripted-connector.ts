import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { connectorTypes } from '@lectern/connectors';
import type { Connector, SyncJob } from '@lectern/contracts';
import type { ConnectorClient } from './connector-client.ts';
import { newCollection } from './connector-client.ts';
import type { FakeDocument } from './fake-collection.ts';
import { createScriptedSource, type ScriptedSource } from './scripted-source.ts';
import { startSystem, type TestSystem } from './start-system.ts';

type SyncOptions = NonNullable<Parameters<ConnectorClient['sync']>[1]>;

/** A service for all tests of a file, and a connector of an empty scripted source for each test. */
export interface ScriptedConnector {
  readonly source: ScriptedSource;
  readonly system: TestSystem;
  readonly client: ConnectorClient;
  /** The test's connector. A test can replace it. */
  connector: Connector;
  /** Adds items to the source: `item-0000` and so on. */
  fill(count: number): void;
  /** Syncs and returns the job when it has ended. */
  sync(options?: SyncOptions): Promise<SyncJob>;
  /** Reads the connector. */
  read(): Promise<Connector>;
  /** The connector's documents that are not deleted. */
  live(): FakeDocument[];
  /** The sorted item ids of these documents. */
  liveIds(): string[];
  document(id: string): FakeDocument;
}

/** Registers the suite's setup with Jest. */
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
    sync: async (options = {}) => {
      const { id } = await system.client.sync(connector.id, options);
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
      if (found === undefined) throw new Error(`The item ${id} has no document.`);
      return found;
    },
  };
}
