import { toCliError } from '#api-error';
import { CliError } from '#cli-error';
import { EXIT } from '#exit-code';
import { createOutput, type Streams } from '#output/output';
import { createProgram, isHelp } from '#program';

/** The streams, environment and abort signal of the CLI's process. */
export interface Host extends Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly signal: AbortSignal;
}

async function runCommand(args: readonly string[], host: Host): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(host, async (command, parsed) => {
    const { env, stdin, signal } = host;
    exitCode = await command.run(parsed, { env, stdin, signal, output: createOutput(host, parsed.flag('json')) });
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (isHelp(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
}

function printError(error: CliError, { stderr }: Host, isJson: boolean): void {
  const { code, message, requestId } = error;
  if (isJson) stderr.write(`${JSON.stringify({ error: { code, message, requestId } })}\n`);
  else stderr.write(`${message}${requestId === undefined ? '' : ` (request ${requestId})`}\n`);
}

/** Runs a command and returns its exit code. Prints failures on stderr, as JSON with `--json`. */
export async function run(args: readonly string[], host: Host): Promise<number> {
  try {
    return await runCommand(args, host);
  } catch (thrown) {
    if (host.signal.aborted) return EXIT.interrupted;
    const error = toCliError(thrown);
    if (!(error instanceof CliError)) throw error;
    printError(error, host, args.includes('--json'));
    return error.exitCode;
  }
}
