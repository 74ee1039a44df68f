import { constants } from 'node:os';
import { LauncherError, messageOf } from '#launcher-error';

/** What a command works with. */
export interface Command {
  readonly env: NodeJS.ProcessEnv;
  say(line: string): void;
  /** Aborted by Ctrl-C and SIGTERM: the work removes what it began, and rejects. */
  readonly signal: AbortSignal;
}

/** The life of a command: prints its usage for `--help`, else works; a failure is told without a stack and exits with 1, or 128 and the signal's number. */
export async function runCommand(usage: string, work: (command: Command) => Promise<void>): Promise<void> {
  process.umask(0o077);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const breakingOff = new AbortController();
  const { signal } = breakingOff;
  let exitCode = 1;
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (signal.aborted) return;
      say('Breaking off…');
      exitCode = 128 + constants.signals[name];
      breakingOff.abort(new LauncherError('Broken off. What was begun is removed.'));
    });
  try {
    if (process.argv.includes('--help') || process.argv.includes('-h')) say(usage);
    else await work({ env: process.env, say, signal });
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = exitCode;
  }
}
