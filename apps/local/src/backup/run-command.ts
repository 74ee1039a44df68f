import { messageOf } from '#launcher-error';

/** The life of a command: prints its usage for `--help`, else works; a failure is told without a stack and exits with 1. */
export async function runCommand(
  usage: string,
  work: (env: NodeJS.ProcessEnv, say: (line: string) => void) => Promise<void>,
): Promise<void> {
  process.umask(0o077);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    if (process.argv.includes('--help') || process.argv.includes('-h')) say(usage);
    else await work(process.env, say);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
