import { testDatabase } from '#engines/database';
import { testNats } from '#engines/nats';
import { testQdrant } from '#engines/qdrant';
import { temporaryFolder } from '#engines/temporary-folder';
import { type GrpcService, startTestService } from '#services/start-test-service';

type Settings = Readonly<Record<string, string>>;

/** Services that all tests of a run share. Each is started when a test first needs it. */
export interface ServicePool {
  /** Starts a service and those that it calls. Returns the settings of a client of them. */
  settingsFor(name: string): Promise<Settings>;
  stop(): Promise<void>;
}

const CALLED: Readonly<Record<string, { readonly name: GrpcService; readonly calls: readonly GrpcService[] }>> = {
  collection: { name: 'collection', calls: [] },
  search: { name: 'search', calls: ['collection'] },
  connector: { name: 'connector', calls: ['collection'] },
  agent: { name: 'agent', calls: ['collection', 'search'] },
};

export function createServicePool(): ServicePool {
  const closing: (() => Promise<void>)[] = [];
  let engines: Promise<Settings> | undefined;
  const started = new Map<string, Promise<Settings>>();

  async function startEngines(): Promise<Settings> {
    const [database, nats, qdrant, folder] = await Promise.all([
      testDatabase(),
      testNats(),
      testQdrant(),
      temporaryFolder(),
    ]);
    closing.push(folder.remove, database.drop, nats.stop, qdrant.stop);
    return {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      QDRANT_URL: qdrant.url,
      BLOB_DIR: folder.path,
      LECTERN_MASTER_KEYS: Buffer.alloc(32, 7).toString('base64'),
      EGRESS_ALLOW: '127.0.0.1,localhost',
    };
  }

  async function start(settingsName: string): Promise<Settings> {
    const service = CALLED[settingsName];
    if (service === undefined) throw new Error(`Tests cannot share the service ${settingsName}.`);
    const { name, calls } = service;
    engines ??= startEngines();
    const called = Object.assign({}, ...(await Promise.all(calls.map(settingsFor))));
    const { address, stop } = await startTestService(name, { ...(await engines), ...called });
    closing.push(stop);
    return { ...called, QDRANT_URL: (await engines).QDRANT_URL, [`${name.toUpperCase()}_ADDRESS`]: address };
  }

  function settingsFor(name: string): Promise<Settings> {
    const starting = started.get(name) ?? start(name);
    started.set(name, starting);
    return starting;
  }

  return {
    settingsFor,
    stop: async () => {
      for (const close of closing.reverse()) await close();
    },
  };
}
