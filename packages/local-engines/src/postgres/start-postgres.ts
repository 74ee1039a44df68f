import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { PortChoice } from '#on-free-port';
import { type Account, type AccountCommand, commandAs, postgresAccount } from '#postgres/account';
import { locatePostgres, type PostgresBinaries } from '#postgres/binaries';
import { createDatabase } from '#postgres/databases';
import { initialiseDataDir } from '#postgres/initialise';
import { stopLeftoverPostmaster } from '#postgres/leftover';
import { readOrCreatePassword } from '#postgres/password';
import { postgresSettings, type SettingsOptions } from '#postgres/settings';
import { type Engine, startEngine } from '#start-engine';

const DATABASE = 'lectern';
const READY = /database system is ready to accept connections/;
/** Recovery after a crash takes as long as the disk needs; one that is broken off begins anew. */
const READY_TIMEOUT_MS = 300_000;

/** Where PostgreSQL keeps its data and listens. */
export type StartPostgresOptions = PortChoice & {
  /** Made when missing. `<dataDir>.password` (mode 0600) and `<dataDir>.pid.json` lie beside it. */
  readonly dataDir: string;
  /** Default true. False switches fsync off and shrinks the caches, for tests. */
  readonly durable?: boolean;
  readonly logFile?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Starts PostgreSQL on 127.0.0.1 and makes sure that the database `lectern` exists. A server that a killed launcher left
 * behind in the same data directory is shut down first. Throws an `EngineError` when it cannot be started.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<Engine> {
  const { signal, durable = true } = options;
  const binaries = locatePostgres();
  const dataDir = await realDataDir(options.dataDir);
  const password = await readOrCreatePassword(dataDir);
  const account = await postgresAccount(dataDir);
  const engine = await startEngine({
    pidFile: `${dataDir}.pid.json`,
    // PostgreSQL's fast shutdown: open transactions are rolled back, nobody is waited for.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 15_000,
    port: options,
    prepare: async () => {
      await initialiseDataDir({ dataDir, binaries, account, password, durable, signal });
      await stopLeftoverPostmaster(dataDir);
    },
    processOn: async (port) => ({
      name: 'PostgreSQL',
      ...(await serverCommand({ binaries, account, dataDir, port, durable })),
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

/** postmaster.pid names the real path, so links are resolved; the directory itself need not exist yet. */
async function realDataDir(path: string): Promise<string> {
  const wanted = resolve(path);
  await mkdir(dirname(wanted), { recursive: true });
  return realpath(wanted).catch(async () => join(await realpath(dirname(wanted)), basename(wanted)));
}

type ServerOptions = SettingsOptions & {
  readonly binaries: PostgresBinaries;
  readonly account: Account;
  readonly dataDir: string;
};

function serverCommand({ binaries, account, dataDir, ...settings }: ServerOptions): Promise<AccountCommand> {
  const flags = Object.entries(postgresSettings(settings)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const paths = [dirname(binaries.postgres), binaries.shareDir, dirname(dataDir)];
  return commandAs(account, binaries.postgres, ['-D', dataDir, ...flags], paths);
}
