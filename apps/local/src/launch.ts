import { existsSync } from 'node:fs';
import { buildConsole } from '#build-console';
import { compileCode } from '#compiled-code';
import type { Config } from '#config';
import { startConsoleDevServer } from '#console-dev-server';
import { type EnsuredCredentials, ensureCredentials, keysForFirstStart } from '#ensure-credentials';
import type { Home } from '#home';
import { lockHome } from '#lock';
import { isElsewhere } from '#own-setting';
import { createParts } from '#parts';
import { sayPostgresPlace } from '#postgres-place';
import { untilOk } from '#readiness';
import { openSecrets, withSecrets } from '#secrets';
import { startEngines } from '#start-engines';
import { reachableHost, startServices } from '#start-services';
import { takeStartTurn } from '#start-turn';
import { openStateFile } from '#state-file';
import type { Terminal } from '#terminal';

const READY_TIMEOUT_MS = 60_000;

/** A system that is starting or runs. */
export interface Launch {
  /** Settles when every service takes requests; rejects when the start failed, with nothing left running. */
  readonly ready: Promise<Ready>;
  /** Ends everything in order; also while it is starting. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

/** What a person or program needs to know once it runs. */
export type Ready = EnsuredCredentials & {
  readonly port: number;
  /** Where the console is served in development mode. */
  readonly consoleUrl?: string;
};

/** Starts the whole system in a home that `prepareHome` has prepared. `onGiveUp` is told when a part cannot be kept running. */
export async function launch(
  settings: Config,
  home: Home,
  terminal: Terminal,
  onGiveUp: (error: Error) => void,
): Promise<Launch> {
  const lock = await lockHome(home, () => terminal.say('Waiting for the Lectern before this one to stop…'));
  const state = await openStateFile(home);
  const secrets = await openSecrets(home);
  const config = withSecrets(settings, secrets);
  const aborting = new AbortController();
  const { signal } = aborting;
  const parts = createParts(terminal, state, signal, onGiveUp);
  let stopped: Promise<void> | undefined;

  async function start(): Promise<Ready> {
    terminal.say(`Lectern keeps its data in ${home.root}`);
    if (!isElsewhere(config.env, 'NATS_URL') && !existsSync(home.programs))
      terminal.say('Looking for nats-server (the first start may fetch it)…');
    const endTurn = await takeStartTurn(signal);
    terminal.say('Starting…');
    await state.update({ internalKeys: config.env.LECTERN_INTERNAL_KEYS });
    const engines = startEngines(config, home, parts, state, secrets, signal);
    const gatewayDatabase = engines.postgres.then((address) => address('gateway'));
    const compiled = compileCode(home, signal);
    const tasks = [
      startServices({ config, home, parts, engines, compiled }),
      keysForFirstStart(config, home, gatewayDatabase, signal),
      ...Object.values(engines),
      ...(isElsewhere(config.env, 'DATABASE_URL')
        ? []
        : [engines.postgres.then(() => sayPostgresPlace(home, terminal))]),
      compiled,
      gatewayDatabase,
    ] as const;
    try {
      const [port, made] = await Promise.all(tasks);
      const local = `http://${reachableHost(config)}:${port}`;
      await untilOk(`${local}/readyz`, AbortSignal.any([signal, AbortSignal.timeout(READY_TIMEOUT_MS)]));
      const baseUrl =
        config.HOST === '127.0.0.1' || local.includes('//127.0.0.1:') ? `http://localhost:${port}` : local;
      const ensured = await ensureCredentials(config, home, gatewayDatabase, made, baseUrl, signal);
      await state.update({ status: 'ready', baseUrl });
      if (!config.LECTERN_DEV) {
        void buildConsole(terminal, signal);
        return { ...ensured, port };
      }
      return { ...ensured, port, consoleUrl: await startConsoleDevServer(parts, home, baseUrl) };
    } catch (error) {
      aborting.abort();
      await Promise.allSettled(tasks);
      throw error;
    } finally {
      endTurn();
    }
  }

  const ready = start();

  async function stop(): Promise<void> {
    await state.update({ status: 'stopping' }).catch(() => undefined);
    aborting.abort();
    await ready.catch(() => undefined);
    await parts.stop();
    await state.remove().catch(() => undefined);
    lock.release();
  }

  return {
    ready,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    kill: parts.kill,
  };
}
