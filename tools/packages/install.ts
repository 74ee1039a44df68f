import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type PublishedPackage, tarballName } from './published.ts';

export const TARBALLS = fileURLToPath(new URL('../../dist/packages/', import.meta.url));
/** Generous: npm installs 400 packages, on a machine that may run other tests. */
const TIMEOUT_MS = 900_000;
const STOP_TIMEOUT_MS = 120_000;

/** An empty folder with packages installed from their tarballs. */
export interface Installation {
  readonly path: string;
  /** Runs a program of `node_modules/.bin`, or `node`. Returns what it printed on stdout. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Starts a program and waits for a line that matches. */
  start(
    program: string,
    args: readonly string[],
    ready: RegExp,
    env?: Readonly<Record<string, string>>,
  ): Promise<Started>;
  remove(): Promise<void>;
}

/** Variables that connect this machine to the network. Everything else is left out: settings of this repository must not matter. */
const MACHINE_VARIABLES = /^(PATH|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|.*_proxy|npm_config_(registry|cafile))$/i;

const machineEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => MACHINE_VARIABLES.test(name)));

export interface Started {
  /** The first group of the pattern. */
  readonly value: string;
  /** What the program has printed on stdout. */
  output(): string;
  /** Sends a signal and returns the exit code. Does nothing if the program has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Returns the manifest in a tarball. */
export async function manifestOf(name: PublishedPackage, version: string): Promise<Record<string, unknown>> {
  const args = ['-xzOf', join(TARBALLS, tarballName(name, version)), 'package/package.json'];
  const { stdout } = await promisify(execFile)('tar', args, { timeout: TIMEOUT_MS });
  return JSON.parse(stdout);
}

/** Returns the command lines of the processes that run programs of a folder. */
export async function processesIn(folder: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'], { timeout: TIMEOUT_MS });
  return stdout.split('\n').filter((line) => line.includes(folder));
}

/** Installs packages. `isOffline` uses an empty cache without a network, which proves that a package has no dependencies. */
export async function installPackages(
  names: readonly PublishedPackage[],
  version: string,
  { isOffline }: { readonly isOffline: boolean },
): Promise<Installation> {
  const path = await mkdtemp(join(tmpdir(), 'lectern-packages-'));
  const env = { ...machineEnv(), HOME: path };
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const tarballs = names.map((name) => join(TARBALLS, tarballName(name, version)));
  const mode = isOffline ? '--offline' : '--prefer-offline';
  await promisify(execFile)('npm', ['install', mode, '--no-audit', '--no-fund', ...tarballs], {
    cwd: path,
    // The cache of this machine has the libraries; the empty home has none.
    env: isOffline ? env : { ...env, HOME: process.env.HOME },
    timeout: TIMEOUT_MS,
  });

  const programPath = (program: string) =>
    program === 'node' ? process.execPath : join(path, 'node_modules/.bin', program);

  return {
    path,
    async run(program, args, extra = {}) {
      const options = { cwd: path, env: { ...env, ...extra }, timeout: TIMEOUT_MS };
      const { stdout } = await promisify(execFile)(programPath(program), [...args], options);
      return stdout;
    },
    async start(program, args, ready, extra = {}) {
      const child = spawn(programPath(program), args, {
        cwd: path,
        env: { ...env, ...extra },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      const value = await new Promise<string>((resolve, reject) => {
        child.stdout.on('data', (chunk) => {
          output += chunk;
          const match = ready.exec(output);
          if (match !== null) resolve(match[1] ?? '');
        });
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`${program} exited with ${code}:\n${output}`)));
      });
      return {
        value,
        output: () => output,
        async stop(signal = 'SIGTERM') {
          if (child.exitCode === null && child.signalCode === null) {
            const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
            child.kill(signal);
            await exited;
          }
          return child.exitCode;
        },
      };
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
