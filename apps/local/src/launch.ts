import { existsSync } from 'node:fs';
import { untilOk } from '@lectern/local-engines';
import { buildConsole } from '#build-console';
import { compileCode } from '#compiled-code';
import type { Config } from '#config';
import { startConsoleDevServer } from '#console-dev-server';
import { type EnsuredCredentials, ensureCredentials, keysForFirstStart } from '#ensure-credentials';
import { createOwnerLink, gatewayCliEnv } from '#gateway-cli';
import type { Home } from '#home';
import { lockHome } from '#lock';
import { createParts } from '#parts';
import { printPostgresLocation } from '#postgres-location';
import { openSecrets, withSecrets } from '#secrets';
import { isExternal } from '#service-setting';
import { startEngines } from '#start-engines';
import { takeStartLock } from '#start-lock';
import { codeFormOf, reachableHost, startServices } from '#start-services';
import { openStateFile } from '#state-file';
import type { Terminal } from '#terminal';

const READY_TIMEOUT_MS = 60_000;

/** A system that is starting or running. */
export interface Launch {
  /** Resolves when all services accept requests. Rejects if the start failed, after all processes were stopped. */
  readonly ready: Promise<Ready>;
  /** Stops everything in order, also during the start. */
  stop(): Promise<void>;
  /** Kills everything immediately. */
  kill(): void;
}

/** The address and credentials of a running system. */
export type Ready = EnsuredCredentials & {
  readonly port: number;
  /** Where the console is served in development mode. */
  readonly consoleUrl?: string;
  /** The link that makes the first owner. Null if there is one. */
  readonly ownerLink: string | null;
};

/** Starts the system in a prepared home. `onGiveUp` is called when a process keeps ending. */
export async function launch(
  settings: Config,
  home: Home,
  terminal: Terminal,
  onGiveUp: (error: Error) => void,
): Promise<Launch> {
  const lock = await lockHome(home, () => terminal.print('Waiting for the previous Lectern to stop…'));
  const state = await openStateFile(home);
  const secrets = await openSecrets(home);
  const config = withSecrets(settings, secrets);
  const aborting = new AbortController();
  const { signal } = aborting;
  const parts = createParts(terminal, state, signal, onGiveUp);
  let stopped: Promise<void> | undefined;

  async function start(): Promise<Ready> {
    terminal.print(`Lectern stores its data in ${home.root}`);
    if (!isExternal(config.env, 'NATS_URL') && !existsSync(home.programs))
      terminal.print('Looking for nats-server (the first start can download it)…');
    const releaseStartLock = await takeStartLock(signal);
    terminal.print('Starting…');
    await state.update({ internalKeys: config.env.LECTERN_INTERNAL_KEYS });
    const engines = startEngines(config, home, parts, state, secrets, signal);
    const gatewayDatabase = engines.postgres.then((address) => address('gateway'));
    const programs = compileCode(home, codeFormOf(config), signal);
    const keys = keysForFirstStart(config, home, gatewayDatabase, signal);
    const tasks = [
      startServices({ config, home, parts, engines, programs }),
      keys,
      // After the keys, because both can create the team.
      keys.then(async () => {
        const env = gatewayCliEnv(config.env, await gatewayDatabase, home.cache);
        return createOwnerLink(env, signal, (await programs).keys);
      }),
      ...Object.values(engines),
      ...(isExternal(config.env, 'DATABASE_URL')
        ? []
        : [engines.postgres.then(() => printPostgresLocation(home, terminal))]),
      programs,
      gatewayDatabase,
    ] as const;
    try {
      const [port, createdKeys, ownerPath] = await Promise.all(tasks);
      const local = `http://${reachableHost(config)}:${port}`;
      await untilOk(`${local}/readyz`, AbortSignal.any([signal, AbortSignal.timeout(READY_TIMEOUT_MS)]));
      const baseUrl =
        config.HOST === '127.0.0.1' || local.includes('//127.0.0.1:') ? `http://localhost:${port}` : local;
      const ensured = await ensureCredentials(config, home, gatewayDatabase, createdKeys, baseUrl, signal);
      await state.update({ status: 'ready', baseUrl });
      const publicUrl = config.env.PUBLIC_URL?.replace(/\/+$/, '') || baseUrl;
      const ownerLink = ownerPath && `${publicUrl}${ownerPath}`;
      if (!config.LECTERN_DEV) {
        void buildConsole(terminal, signal);
        return { ...ensured, port, ownerLink };
      }
      return { ...ensured, port, ownerLink, consoleUrl: await startConsoleDevServer(parts, home, baseUrl) };
    } catch (error) {
      aborting.abort();
      await Promise.allSettled(tasks);
      throw error;
    } finally {
      releaseStartLock();
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
