import { constants } from 'node:os';
import { LauncherError, messageOf } from '#launcher-error';

/** The context of a command. */
export interface Command {
  readonly env: NodeJS.ProcessEnv;
  print(line: string): void;
  /** Aborted by Ctrl-C and SIGTERM: the command removes incomplete output and rejects. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command, or prints its usage for `--help`. Prints failures without a stack; exits with 1,
 * or 128 plus the signal's number.
 */
export async function runCommand(
  usage: string,
  work: (command: Command) => Promise<void>,
  interrupted = 'Interrupted. The incomplete output was removed.',
): Promise<void> {
  process.umask(0o077);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const interrupting = new AbortController();
  const { signal } = interrupting;
  let exitCode = 1;
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (signal.aborted) return;
      print('Stopping…');
      exitCode = 128 + constants.signals[name];
      interrupting.abort(new LauncherError(interrupted));
    });
  try {
    if (process.argv.includes('--help') || process.argv.includes('-h')) print(usage);
    else await work({ env: process.env, print, signal });
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = exitCode;
  }
}
