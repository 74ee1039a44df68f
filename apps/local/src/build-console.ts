import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '#home-folder';
import type { Terminal } from '#terminal';

const TIMEOUT_MS = 300_000;
const CONSOLE = join(REPOSITORY, 'apps/console');
const SDK = join(REPOSITORY, 'packages/sdk');
const BUILT = join(CONSOLE, 'dist');

/**
 * Builds the console if its sources changed. Takes about a second, and nothing waits for it: until it is
 * built, the gateway shows a placeholder page. A failed build is only reported, because the API works.
 */
export async function buildConsole(terminal: Terminal, signal: AbortSignal): Promise<void> {
  // The published package contains only the built console.
  if (!existsSync(join(CONSOLE, 'src'))) return;
  try {
    if ((await builtAt()) >= (await newestChange())) return;
    // Builds into a separate folder and moves it, so that the gateway never serves an incomplete build.
    const fresh = join(REPOSITORY, 'node_modules/.cache', `lectern-console-${process.pid}`);
    await runVite(fresh, signal);
    await rm(BUILT, { recursive: true, force: true });
    await rename(fresh, BUILT);
  } catch (error) {
    if (signal.aborted || (await builtAt()) > 0) return;
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    terminal.warn(`The console could not be built (${why}). The API works. Run \`npm run build\` to see the details.`);
  }
}

async function runVite(outDir: string, signal: AbortSignal): Promise<void> {
  const vite = dirname(createRequire(join(CONSOLE, 'package.json')).resolve('vite/package.json'));
  const args = [join(vite, 'bin/vite.js'), 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'];
  const env = { PATH: process.env.PATH };
  const work = promisify(execFile)(process.execPath, args, { cwd: CONSOLE, env, timeout: TIMEOUT_MS, signal });
  // Lower than the services, so that requests are not slowed down.
  if (work.child.pid !== undefined) setPriority(work.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  await work;
}

/** Returns when the console was built, in milliseconds, or 0 if it was not built. */
async function builtAt(): Promise<number> {
  return (await stat(join(BUILT, 'index.html')).catch(() => undefined))?.mtimeMs ?? 0;
}

/** Returns when the console's sources last changed, in milliseconds. */
async function newestChange(): Promise<number> {
  const sources = [join(CONSOLE, 'src'), join(SDK, 'src')];
  const below = await Promise.all(
    sources.map(async (folder) => (await readdir(folder, { recursive: true })).map((name) => join(folder, name))),
  );
  const others = ['index.html', 'reference.html', 'package.json', 'vite.config.ts'].map((name) => join(CONSOLE, name));
  const times = await Promise.all([...below.flat(), ...others].map(async (path) => (await stat(path)).mtimeMs));
  return Math.max(...times);
}
