import { errorCode } from '#error-code';
import { run } from '#run';

/** Runs the program in this process: its arguments, environment, streams and exit code. Ctrl-C ends what is under way. */
export async function main(): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  // A reader that has seen enough (`lectern search … | head`) is no failure.
  process.stdout.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1));
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interrupted.signal });
}
