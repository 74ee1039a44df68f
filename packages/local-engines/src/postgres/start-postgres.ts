import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { onFreePort, type PortChoice } from '#on-free-port';
import { type Account, commandAs, postgresAccount } from '#postgres/account';
import { locatePostgres, type PostgresBinaries } from '#postgres/binaries';
import { createDatabase } from '#postgres/databases';
import { initialiseDataDir } from '#postgres/initialise';
import { stopLeftoverPostmaster } from '#postgres/leftover';
import { readOrCreatePassword } from '#postgres/password';
import { postgresSettings } from '#postgres/settings';
import { claimPidFile } from '#process/pid-file';
import { type ManagedProcess, type Running, startProcess } from '#process/start-process';

const DATABASE = 'lectern';
const STOP = { stopSignal: 'SIGINT', timeoutMs: 15_000 } as const;

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

/** A running engine: its address and the means to end it. */
export type Engine = Running & { readonly url: string; readonly port: number };

/**
 * Starts PostgreSQL on 127.0.0.1 and makes sure that the database `lectern` exists. A server that a killed launcher left
 * behind in the same data directory is shut down first. Throws an `EngineError` when it cannot be started.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<Engine> {
  const binaries = locatePostgres();
  await mkdir(dirname(resolve(options.dataDir)), { recursive: true });
  // postmaster.pid names the real path.
  const dataDir = join(await realpath(dirname(resolve(options.dataDir))), basename(resolve(options.dataDir)));
  const password = await readOrCreatePassword(`${dataDir}.password`);
  const started = await onFreePort(options, async (port) => {
    const server = await startServer({ options, binaries, dataDir, password, port });
    return { server, port };
  });
  const { server, port } = started;
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;
  try {
    await createDatabase(url, DATABASE);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url, port, pid: server.pid, exited: server.exited, stop: server.stop };
}

type ServerOptions = {
  readonly options: StartPostgresOptions;
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
  readonly password: string;
  readonly port: number;
};

async function startServer({ options, binaries, dataDir, password, port }: ServerOptions): Promise<ManagedProcess> {
  const durable = options.durable ?? true;
  const claim = await claimPidFile(`${dataDir}.pid.json`, STOP);
  try {
    const account: Account = await postgresAccount(dataDir);
    await initialiseDataDir({ dataDir, binaries, account, password, durable, signal: options.signal });
    await stopLeftoverPostmaster(dataDir);
    const settings = Object.entries(postgresSettings({ port, durable })).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const paths = [dirname(binaries.postgres), binaries.shareDir, dirname(dataDir)];
    return await startProcess({
      name: 'PostgreSQL',
      ...(await commandAs(account, binaries.postgres, ['-D', dataDir, ...settings], paths)),
      cwd: '/',
      readiness: /database system is ready to accept connections/,
      claim,
      stopSignal: STOP.stopSignal,
      stopTimeoutMs: STOP.timeoutMs,
      signal: options.signal,
      ...(options.logFile === undefined ? {} : { logFile: options.logFile }),
    });
  } catch (error) {
    claim.release();
    throw error;
  }
}
