import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

// `npm run test:all [-- SUITE…]`: the named suites, or all of them, one after the other. A failed suite does not
// stop the next ones.
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
// Containers without the capability SYS_ADMIN cannot mount, even as root.
const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
const CHROMIUM = [
  process.env.LECTERN_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const hasChromium = CHROMIUM.some((path) => path && existsSync(path));

/** True if pip can find the tools of test:contract. */
const reachesIndex = () => {
  const options = ['--retries', '0', '--timeout', '10', '--disable-pip-version-check'];
  const args = ['-m', 'pip', 'download', '--no-deps', '--dest', tmpdir(), ...options, 'schemathesis'];
  return spawnSync('python3', args, { timeout: 60_000 }).status === 0;
};

/** Why this machine cannot run a suite. Suites without an entry run everywhere. */
const MISSING = {
  'test:browser': hasChromium
    ? ''
    : 'Chromium is not installed (Debian: apt-get install chromium; or set LECTERN_CHROMIUM)',
  'test:contract': () => (reachesIndex() ? '' : 'python3 with pip cannot reach a package index'),
  'test:images': canMount ? '' : 'building images needs Linux, root and the right to mount',
};
const ALL = ['test', 'test:systems', 'test:browser', 'test:packages', 'test:contract', 'test:faults', 'test:images'];
const SUITES = process.argv.length > 2 ? process.argv.slice(2) : ALL;
const unknown = SUITES.filter((name) => !ALL.includes(name));
if (unknown.length > 0) throw new Error(`Unknown suite: ${unknown.join(', ')}. Suites: ${ALL.join(', ')}.`);

/** Jest's lines about failed test files and tests, as `@lectern/local:test: FAIL src/a.test.ts` and `  ● group › test`. */
const FAILED = /^(?:@lectern\/\S+ )?\s*(?:FAIL |● (?!Console))/;
const MAX_FAILED_LINES = 300;
/** Lines without blank ones that are kept of the message below a failed test. */
const MESSAGE_LINES = 8;
/** Longer than any suite takes. One that hangs must not keep the result of the others. */
const SUITE_MS = 60 * 60_000;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a script, shows its output, and returns its exit status and the lines that name what failed. */
async function runScript(name) {
  const failed = [];
  const named = new Set();
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: process.env.FORCE_COLOR ?? '1' }) };
  // test:systems runs the same tests longer.
  if (SUITES.includes('test:systems')) env.LECTERN_SKIP_SHORT_RUNS = '1';
  const child = spawn('npm', ['run', name], {
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    // Its own process group, so that all of its processes can be ended.
    detached: process.platform !== 'win32',
    env,
  });
  const end = (signal) => {
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It has ended by itself.
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, end);
  const deadline = setTimeout(() => {
    failed.push(`It was ended, because it had not finished after ${SUITE_MS / 60_000} minutes.`);
    end('SIGKILL');
    // A process outside the group could hold them open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, SUITE_MS);
  const watch = (stream, output) => {
    /** How many lines of a message are still to be kept, by the workspace that Turborepo puts before each line. */
    const wanted = new Map();
    createInterface({ input: stream }).on('line', (line) => {
      output.write(`${line}\n`);
      const text = stripVTControlCharacters(line);
      const [workspace = ''] = /^@lectern\/\S+ /.exec(text) ?? [];
      if (failed.length >= MAX_FAILED_LINES) return;
      if (FAILED.test(text)) {
        // Jest repeats the messages at its end.
        const isRepeated = named.has(text.trim());
        wanted.set(workspace, isRepeated || !text.includes('●') ? 0 : MESSAGE_LINES);
        named.add(text.trim());
        if (!isRepeated) failed.push(text.trim());
      } else if (wanted.get(workspace) > 0 && text.slice(workspace.length).trim() !== '') {
        wanted.set(workspace, wanted.get(workspace) - 1);
        failed.push(text.trimEnd());
      }
    });
  };
  watch(child.stdout, process.stdout);
  watch(child.stderr, process.stderr);
  const [status] = await once(child, 'close');
  clearTimeout(deadline);
  for (const signal of STOP_SIGNALS) process.off(signal, end);
  return { status, failed };
}

const rows = [];
// They are repeated at the end: a log of CI may keep only its last lines.
const failures = [];
for (const suite of SUITES.filter((name) => scripts[name])) {
  const missing = MISSING[suite];
  const reason = typeof missing === 'function' ? missing() : missing;
  if (reason) {
    rows.push([suite, `skipped: ${reason}`]);
    continue;
  }
  process.stdout.write(`\n=== npm run ${suite}\n`);
  const started = Date.now();
  const { status, failed } = await runScript(suite);
  const seconds = Math.round((Date.now() - started) / 1000);
  rows.push([suite, `${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`]);
  if (status !== 0) {
    process.exitCode = 1;
    failures.push(`\n${suite} failed:`, ...failed);
  }
}
if (failures.length > 0) process.stdout.write(`${failures.join('\n')}\n`);
process.stdout.write(`\n${rows.map(([suite, result]) => `${suite.padEnd(15)}${result}`).join('\n')}\n`);
