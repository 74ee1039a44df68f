import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureNatsServer } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { type Credentials, readCredentials } from '#credentials';
import { homeAt } from '#home';
import { prepareHome } from '#prepare-home';
import { readState, type State } from '#state-file';
import { type Api, createApi } from './api.ts';
import { NATS_CACHE } from './nats-cache.ts';
import { processesOf } from './processes-of.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const KEYS = 'apps/local/src/keys.ts';
const READY = /^Lectern is ready at (http:\/\/localhost:\d+)$/m;
const READY_TIMEOUT_MS = 420_000;
const STOP_TIMEOUT_MS = 60_000;

/** Set by start-shared-system.ts: a folder of compiled code, so that new homes do not need to compile it. */
export const COMPILED_VARIABLE = 'LECTERN_TEST_COMPILED_CODE';

/** A launcher in its own process. */
export interface Launcher {
  /** Its complete output. */
  output(): string;
  /** The address that it prints when it is ready. Rejects with the output if it ends before that. */
  readonly ready: Promise<string>;
  /** Its exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
  signal(signal: NodeJS.Signals): void;
}

/** A data folder, used by one launcher at a time. */
export interface TestHome {
  readonly path: string;
  launch(env?: Record<string, string>): Promise<Launcher>;
  credentials(): Promise<Credentials>;
  state(): Promise<State>;
  /** The pids of all processes of the home, including the launcher. */
  processes(): Promise<number[]>;
  /** Runs `npm run keys` and returns its output. Throws if it fails. */
  keys(...args: string[]): Promise<string>;
  /** Sends SIGKILL to a process by its name in the state file. */
  killPart(name: string): Promise<void>;
  /** Stops running launchers, and removes the folder. */
  remove(): Promise<void>;
}

/** Overrides for tests that need another folder, checkout or account. */
export interface TestHomeOptions {
  readonly root?: string;
  /** True for a test about the first start: the home gets no compiled code. */
  readonly isFirstStart?: boolean;
  /** The program to start: `npm start` or `npm run dev`. */
  readonly program?: 'main.ts' | 'dev.ts';
  /** The checkout to start from. */
  readonly checkout?: string;
  /** The account of the launcher; only root can set it. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** Prepares a home, by default a new one in the temporary folder. */
export async function testHome(options: TestHomeOptions = {}): Promise<TestHome> {
  const { root, checkout = REPOSITORY, account, isFirstStart = false, program = 'main.ts' } = options;
  const folder = root === undefined ? await temporaryFolder() : undefined;
  const home = homeAt(root ?? join(folder?.path ?? '', 'home'));
  const natsFolder = dirname(await ensureNatsServer({ cacheDir: NATS_CACHE }));
  const compiled = process.env[COMPILED_VARIABLE];
  if (compiled && root === undefined && !isFirstStart) {
    await prepareHome(home);
    await cp(compiled, home.cache, { recursive: true });
  }
  const launchers: ChildProcess[] = [];
  const state = async () => required(await readState(home), 'the state file');
  return {
    path: home.root,
    launch: async (env = {}) => {
      const child = spawn(process.execPath, [join(checkout, 'apps/local/src', program)], {
        cwd: '/',
        ...account,
        // Only PATH comes from this environment.
        env: {
          PATH: `${natsFolder}:${process.env.PATH}`,
          LECTERN_HOME: home.root,
          PORT: '0',
          LOG_LEVEL: 'warn',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      launchers.push(child);
      return follow(child);
    },
    credentials: async () => required(await readCredentials(home.credentials), 'credentials.json'),
    state,
    processes: () => processesOf(home.root),
    keys: async (...args) => {
      const env = { PATH: process.env.PATH, LECTERN_HOME: home.root };
      const { stdout } = await promisify(execFile)(process.execPath, [join(checkout, KEYS), ...args], {
        cwd: '/',
        ...account,
        env,
        timeout: STOP_TIMEOUT_MS,
      });
      return stdout;
    },
    killPart: async (name) => {
      process.kill(required((await state()).parts[name], name).pid, 'SIGKILL');
    },
    remove: async () => {
      for (const child of launchers) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await Promise.all(launchers.map((child) => endOf(child)));
      await folder?.remove();
    },
  };
}

function follow(child: ChildProcess): Launcher {
  let output = '';
  const ready = Promise.withResolvers<string>();
  ready.promise.catch(() => undefined);
  const onText = (text: Buffer) => {
    output += text.toString('utf8');
    const address = READY.exec(output)?.[1];
    if (address) ready.resolve(address);
  };
  child.stdout?.on('data', onText);
  child.stderr?.on('data', onText);
  const late = setTimeout(() => ready.reject(new Error(`Not ready in time:\n${output}`)), READY_TIMEOUT_MS);
  const ended = endOf(child);
  void ended.then((exit) => {
    clearTimeout(late);
    ready.reject(new Error(`It ended (${exit}) before it was ready:\n${output}`));
  });
  void ready.promise.finally(() => clearTimeout(late)).catch(() => undefined);
  return { output: () => output, ready: ready.promise, ended, signal: (signal) => void child.kill(signal) };
}

/** Waits for a launcher to end. */
async function endOf(child: ChildProcess): Promise<number | string> {
  return (
    child.exitCode ??
    child.signalCode ??
    new Promise((settle) => {
      child.once('close', (code, signal) => settle(code ?? signal ?? 'unknown'));
    })
  );
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing`);
  return value;
}

/** A running system for the tests of one file. */
export interface Lectern {
  readonly home: TestHome;
  readonly launcher: Launcher;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly api: Api;
  /** Sends Ctrl-C, and removes everything. Throws if the launcher does not end cleanly. */
  stop(): Promise<void>;
}

/** Starts a system in a new home and waits until it is ready. */
export async function startLectern(env: Record<string, string> = {}): Promise<Lectern> {
  const home = await testHome();
  const launcher = await home.launch(env);
  try {
    const baseUrl = await launcher.ready;
    const credentials = await home.credentials();
    return {
      home,
      launcher,
      baseUrl,
      credentials,
      api: createApi(credentials),
      stop: async () => {
        launcher.signal('SIGINT');
        const exit = await Promise.race([launcher.ended, delay(STOP_TIMEOUT_MS, 'timeout', { ref: false })]);
        if (exit !== 0) launcher.signal('SIGKILL');
        await home.remove();
        if (exit !== 0) throw new Error(`Lectern did not stop cleanly (${exit}):\n${launcher.output()}`);
      },
    };
  } catch (error) {
    await home.remove();
    throw error;
  }
}
