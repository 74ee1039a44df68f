import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

// `npm run test:all [-- SUITE…]`: the named suites, or all of them, one after the other. A failed suite does not
// stop the next ones. With a time limit, as in CI, failed suites are repeated once, after all others: on a machine with
// other work, a test can fail by its time limits. All failures are listed at the end.
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
const MAX_FAILED_TESTS = 300;
const MAX_MESSAGES = 20;
/** Lines without blank ones that are kept of the message below a failed test. The cause of a failed property comes last. */
const MESSAGE_LINES = 24;
/** A counterexample of a property test can be long. */
const MAX_LINE_LENGTH = 1_000;
/** Longer than any suite takes. One that hangs must not keep the result of the others. */
const SUITE_MS = 60 * 60_000;

/** How many times as long as `npm test` other suites take at most. It shows how fast a machine is. */
const DURATIONS = {
  'test:systems': 1.5,
  'test:browser': 0.8,
  'test:packages': 0.3,
  'test:contract': 0.5,
  'test:faults': 0.8,
  'test:images': 0.7,
};
/** What `npm test` takes at least. It is faster only if its results were cached. */
const MIN_TEST_MS = 5 * 60_000;
/** Suites after `npm test` start only if they can be expected to end by then. */
const endsAt = Date.now() + secondsOf(process.env.LECTERN_TEST_SECONDS || 'Infinity') * 1000;
const hasLimit = endsAt !== Number.POSITIVE_INFINITY;
/** The milliseconds that `npm test` took; undefined before. */
let testMs;

function secondsOf(text) {
  const seconds = Number(text);
  if (seconds >= 0) return seconds;
  throw new Error(`LECTERN_TEST_SECONDS is ${text}. It must be a number of seconds, or empty for no limit.`);
}

/** Why there is no time for a suite; empty if there is. */
function outOfTime(suite) {
  if (testMs === undefined) return '';
  const expectedMs = Math.max(testMs, MIN_TEST_MS) * (DURATIONS[suite] ?? 0);
  const leftMs = endsAt - Date.now();
  if (expectedMs <= leftMs) return '';
  const [expected, left] = [expectedMs, Math.max(0, leftMs)].map((ms) => Math.round(ms / 60_000));
  return `it takes about ${expected} min on this machine, and LECTERN_TEST_SECONDS leaves ${left} min`;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a script, shows its output, and returns its exit status and the lines that name what failed. */
async function runScript(name) {
  const failed = [];
  const named = new Set();
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: process.env.FORCE_COLOR ?? '1' }) };
  // test:systems runs the same tests longer. With a time limit it may be skipped.
  if (SUITES.includes('test:systems') && !hasLimit) env.LECTERN_SKIP_SHORT_RUNS = '1';
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
      if (FAILED.test(text)) {
        // Jest repeats the messages at its end.
        const isRepeated = named.has(text.trim());
        const isShown = !isRepeated && text.includes('●') && named.size < MAX_MESSAGES;
        wanted.set(workspace, isShown ? MESSAGE_LINES : 0);
        if (isRepeated || named.size >= MAX_FAILED_TESTS) return;
        named.add(text.trim());
        failed.push(text.trim());
      } else if (wanted.get(workspace) > 0 && text.slice(workspace.length).trim() !== '') {
        wanted.set(workspace, wanted.get(workspace) - 1);
        failed.push(text.trimEnd().slice(0, MAX_LINE_LENGTH));
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

const inSeconds = (ms) => `${Math.round(ms / 1000)} s`;

/** Runs a suite, and also returns the milliseconds that it took. */
async function timed(suite) {
  const started = Date.now();
  const result = await runScript(suite);
  return { ...result, ms: Date.now() - started };
}

/** What the suites resulted in, by name. */
const results = new Map();
// They are repeated at the end: a log of CI may keep only its last lines.
const failures = [];

async function runSuite(suite) {
  process.stdout.write(`\n=== npm run ${suite}${results.has(suite) ? ', again' : ''}\n`);
  const { status, ms, failed } = await timed(suite);
  if (suite === 'test') testMs ??= ms;
  results.set(suite, { status, ms, before: results.get(suite) });
  if (status !== 0) failures.push(`\n${suite} failed:`, ...failed);
}

const selected = SUITES.filter((name) => scripts[name]);
for (const suite of selected) {
  const missing = MISSING[suite];
  const reason = (typeof missing === 'function' ? missing() : missing) || outOfTime(suite);
  if (reason) results.set(suite, { reason });
  else await runSuite(suite);
}
for (const suite of selected) {
  const { status, ms } = results.get(suite);
  if (hasLimit && status > 0 && ms <= endsAt - Date.now()) await runSuite(suite);
}

function describe({ status, ms, reason, before }) {
  if (reason) return `skipped: ${reason}`;
  const again = before ? `, after it had failed in ${inSeconds(before.ms)}` : '';
  return `${status === 0 ? 'passed' : 'FAILED'} in ${inSeconds(ms)}${again}`;
}

const rows = [...results].map(([suite, result]) => `${suite.padEnd(15)}${describe(result)}`);
if ([...results.values()].some(({ status, reason }) => !reason && status !== 0)) process.exitCode = 1;
if (failures.length > 0) process.stdout.write(`${failures.join('\n')}\n`);
process.stdout.write(`\n${rows.join('\n')}\n`);
