import type { PortChoice } from '#on-free-port';
import { accessiblePrograms, locatePostgres, programsIn } from '#postgres/binaries';
import { locateData } from '#postgres/data-location';
import { createDatabase } from '#postgres/databases';
import { initializeDataDir } from '#postgres/initialize';
import { stopLeftoverPostmaster } from '#postgres/leftover';
import { readOrCreatePassword } from '#postgres/password';
import { postgresSettings, type SettingsOptions } from '#postgres/settings';
import { type Engine, startEngine } from '#start-engine';

const DATABASE = 'lectern';
const READY = /database system is ready to accept connections/;
/** Recovery after a crash can take minutes, and starts from the beginning if it is interrupted. */
const READY_TIMEOUT_MS = 300_000;

/** How to start PostgreSQL. */
export type StartPostgresOptions = PortChoice & {
  /**
   * Created if missing; a link if PostgreSQL's account cannot enter the folder.
   * `<dataDir>.password` (mode 0600) and `<dataDir>.pid.json` are next to the data.
   */
  readonly dataDir: string;
  /** Default true. False turns off fsync and shrinks the caches, for tests. */
  readonly durable?: boolean;
  /** The size of the page cache. Default: that of a small machine. */
  readonly sharedBuffers?: string;
  readonly logFile?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Starts PostgreSQL on 127.0.0.1 and creates the database `lectern` if it does not exist. First stops a
 * server that a killed launcher left running in the same data directory. Throws an `EngineError`.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<Engine> {
  const { signal, durable = true, sharedBuffers } = options;
  const binaries = await locatePostgres();
  const { dataDir, account } = await locateData(options.dataDir);
  const password = await readOrCreatePassword(dataDir);
  let programs = binaries.root;
  const engine = await startEngine({
    pidFile: `${dataDir}.pid.json`,
    // PostgreSQL's fast shutdown: rolls back open transactions and closes connections.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 15_000,
    port: options,
    prepare: async () => {
      programs = await accessiblePrograms(binaries, account, dataDir);
      await initializeDataDir({ dataDir, programs, account, password, durable, signal });
      await stopLeftoverPostmaster(dataDir);
    },
    processOn: async (port) => ({
      name: 'PostgreSQL',
      ...account,
      command: programsIn(programs).postgres,
      args: serverArgs(dataDir, { port, durable, sharedBuffers }),
      cwd: '/',
      readiness: READY,
      readinessTimeoutMs: READY_TIMEOUT_MS,
      signal,
      ...(options.logFile === undefined ? {} : { logFile: options.logFile }),
    }),
    urlOn: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`,
  });
  try {
    await createDatabase(engine.url, DATABASE);
    signal?.throwIfAborted();
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

function serverArgs(dataDir: string, settings: SettingsOptions): string[] {
  const flags = Object.entries(postgresSettings(settings)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataDir, ...flags];
}
