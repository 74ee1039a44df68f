import { UsageError } from '#usage-error';

/** Executes a command line. Rejects with the signal's reason if it is interrupted. */
export type Command = (args: readonly string[], print: (line: string) => void, signal: AbortSignal) => Promise<void>;

/**
 * Runs a command. Ctrl-C aborts the signal. Prints errors to stderr and sets the exit code (2 for
 * an invalid command line).
 */
export async function runCommand(usage: string, command: Command): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second Ctrl-C ends this process immediately, with its child processes.
    process.once(signal, () => interruption.abort(new Error('Interrupted; nothing was written.')));
  }
  try {
    await command(process.argv.slice(2), (line) => void process.stdout.write(`${line}\n`), interruption.signal);
  } catch (thrown) {
    // An interruption causes different errors, depending on the current step.
    const error: unknown = interruption.signal.aborted ? interruption.signal.reason : thrown;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}\n` : `${message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
