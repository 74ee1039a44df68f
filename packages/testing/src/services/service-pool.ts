import { testDatabase } from '#engines/database';
import { testNats } from '#engines/nats';
import { testQdrant } from '#engines/qdrant';
import { temporaryFolder } from '#engines/temporary-folder';
import { runAll } from '#run-all';
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

  /** Starts an engine, and closes it at the end even if another one does not start. */
  async function open<T>(starting: Promise<T>, close: (engine: T) => Promise<void>): Promise<T> {
    const engine = await starting;
    closing.push(() => close(engine));
    return engine;
  }

  async function startEngines(): Promise<Settings> {
    const [database, nats, qdrant, folder] = await Promise.all([
      open(testDatabase(), ({ drop }) => drop()),
      open(testNats(), ({ stop }) => stop()),
      open(testQdrant(), ({ stop }) => stop()),
      open(temporaryFolder(), ({ remove }) => remove()),
    ]);
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
    engines ??= startEngines().catch((error: unknown) => {
      engines = undefined;
      throw error;
    });
    const called = Object.assign({}, ...(await Promise.all(calls.map(settingsFor))));
    const { address, stop } = await startTestService(name, { ...(await engines), ...called });
    closing.push(stop);
    return { ...called, QDRANT_URL: (await engines).QDRANT_URL, [`${name.toUpperCase()}_ADDRESS`]: address };
  }

  function settingsFor(name: string): Promise<Settings> {
    const known = started.get(name);
    if (known) return known;
    const starting = start(name);
    started.set(name, starting);
    // The next test tries again.
    starting.catch(() => started.delete(name));
    return starting;
  }

  return {
    settingsFor,
    stop: async () => {
      await Promise.allSettled(started.values());
      await runAll(closing.reverse());
    },
  };
}
