import { spawn } from 'node:child_process';
import { startTestEngines } from '#run/test-engines';

// `node with-engines.ts COMMAND [ARGUMENT…]` runs a command with one set of engines for all of its tests.
const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('Usage: node with-engines.ts COMMAND [ARGUMENT…]');

const stopEngines = await startTestEngines();
const child = spawn(command, args, { stdio: 'inherit' });
// The terminal also sends Ctrl-C to the command. Waits until it ends before stopping the engines.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
const { promise: ended, resolve } = Promise.withResolvers<number>();
child.once('error', (error) => {
  process.stderr.write(`${command} could not be started: ${error.message}\n`);
  resolve(127);
});
child.once('exit', (code) => resolve(code ?? 1));
const exitCode = await ended;
await stopEngines();
// See jest.preset.mjs for why the process does not end by itself.
process.exit(exitCode);
