import { UsageError } from '#usage-error';

/** Does what a command line asks for; rejects with the signal's reason when it is interrupted. */
export type Command = (args: readonly string[], say: (line: string) => void, signal: AbortSignal) => Promise<void>;

/** Runs a command to its end: Ctrl-C aborts the signal, failures are said on stderr and by the exit code (2 for a wrong command line). */
export async function runCommand(usage: string, command: Command): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second one ends this process at once; what it started ends with it.
    process.once(signal, () => interruption.abort(new Error('Interrupted; nothing was written.')));
  }
  try {
    await command(process.argv.slice(2), (line) => void process.stdout.write(`${line}\n`), interruption.signal);
  } catch (thrown) {
    // An interruption shows in many ways, according to what it met.
    const error: unknown = interruption.signal.aborted ? interruption.signal.reason : thrown;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}\n` : `${message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
