import { errorCode } from '#error-code';
import { run } from '#run';

/** Runs the CLI in this process. Ctrl-C aborts the running command. */
export async function main(): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  // A closed pipe, for example of `lectern search … | head`, is not a failure.
  process.stdout.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1));
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interrupted.signal });
}
