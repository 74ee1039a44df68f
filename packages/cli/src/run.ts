import { toCliError } from '#api-error';
import { CliError, usageError } from '#cli-error';
import type { Shell } from '#command';
import { COMMANDS } from '#commands';
import { EXIT } from '#exit-code';
import { commandHelp, programHelp } from '#help';
import { createOutput, type Streams } from '#output/output';
import { parseArguments } from '#parse-arguments';

/** The streams, environment and abort signal of the CLI's process. */
export interface Host extends Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly signal: AbortSignal;
}

async function runCommand(args: readonly string[], host: Host, isJson: boolean): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    host.stdout.write(programHelp());
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) throw usageError(`Unknown command ${name}. See: lectern --help`);
  const parsed = parseArguments(command, rest);
  if (parsed.flag('help')) {
    host.stdout.write(commandHelp(command));
    return EXIT.ok;
  }
  const shell: Shell = { env: host.env, stdin: host.stdin, signal: host.signal, output: createOutput(host, isJson) };
  return command.run(parsed, shell);
}

function printError(error: CliError, { stderr }: Host, isJson: boolean): void {
  const { code, message, requestId } = error;
  if (isJson) stderr.write(`${JSON.stringify({ error: { code, message, requestId } })}\n`);
  else stderr.write(`${message}${requestId === undefined ? '' : ` (request ${requestId})`}\n`);
}

/** Runs a command and returns its exit code. Prints failures on stderr, as JSON with `--json`. */
export async function run(args: readonly string[], host: Host): Promise<number> {
  const isJson = args.includes('--json');
  try {
    return await runCommand(args, host, isJson);
  } catch (thrown) {
    if (host.signal.aborted) return EXIT.interrupted;
    const error = toCliError(thrown);
    if (!(error instanceof CliError)) throw error;
    printError(error, host, isJson);
    return error.exitCode;
  }
}
