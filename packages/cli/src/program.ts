import { CommanderError, Option, Command as Program } from 'commander';
import wrapAnsi from 'wrap-ansi';
import { usageError } from '#cli-error';
import { type Arguments, type Command, type CommandGroup, HELP_OPTION, JSON_OPTION, type Parameter } from '#command';
import { COMMANDS } from '#commands';
import type { Streams } from '#output/output';
import manifest from '#package.json' with { type: 'json' };

/** Runs a command whose arguments are valid. */
export type RunCommand = (command: Command, args: Arguments) => Promise<void>;

/** The widest help, in columns: longer lines are hard to read. */
const MAX_WIDTH = 100;
const DEFAULT_WIDTH = 80;
/** Descriptions are wrapped if they have at least this many columns. */
const MIN_WRAP_WIDTH = 16;

const EPILOG = `To start, run lectern login, then lectern upload ./handbook. Add --json to print results as JSON. LECTERN_URL and LECTERN_KEY override the saved login.

Exit codes: 0 success, 1 failure, 2 invalid command line, 3 permission denied, 4 server not available, 5 sync or import ended with errors, 130 interrupted by Ctrl-C.`;

/** Turns an error of Commander, for example `error: unknown option '--limt'\n(Did you mean --limit?)`, into sentences. */
function usageMessage(error: CommanderError, path: string): string {
  const [problem = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const sentences = [
    `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}.`,
    ...(suggestion === undefined ? [] : [suggestion.replace(/^\(|\)$/g, '')]),
    `See: ${path} --help`,
  ];
  return sentences.join(' ');
}

function addOption(program: Program, { syntax, description, choices }: Parameter): void {
  const option = new Option(syntax, description);
  if (choices !== undefined) option.choices(choices);
  else if (option.required) option.argParser((value: string, earlier?: string[]) => [...(earlier ?? []), value]);
  program.addOption(option);
}

function argumentsOf(program: Program): Arguments {
  const values = program.opts<Record<string, unknown>>();
  const option = (name: string) => program.options.find(({ long }) => long === `--${name}`);
  const texts = (name: string) =>
    [values[option(name)?.attributeName() ?? ''] ?? []].flat().filter((value) => typeof value === 'string');
  return {
    positionals: program.args,
    texts,
    text: (name) => texts(name).at(-1),
    flag: (name) => {
      const found = option(name);
      return values[found?.attributeName() ?? ''] === !(found?.negate ?? true);
    },
  };
}

/** Adds a command and returns its program. Invalid arguments throw `CliError`; the help throws `CommanderError`. */
function addProgram(parent: Program, { name, summary }: Command | CommandGroup, path: string): Program {
  return parent
    .command(name)
    .summary(summary)
    .description(`${summary}.`)
    .exitOverride((error) => {
      throw isHelp(error) ? error : usageError(usageMessage(error, path));
    });
}

function addCommand(parent: Program, command: Command, path: string, run: RunCommand): void {
  const program = addProgram(parent, command, path);
  for (const { syntax, description, choices } of command.parameters ?? []) {
    const argument = program.createArgument(syntax, description);
    program.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of [...(command.options ?? []), JSON_OPTION]) addOption(program, option);
  if (command.note !== undefined) addEpilog(program, command.note);
  program.action(() => run(command, argumentsOf(program)));
}

function addEpilog(program: Program, text: string): void {
  program.addHelpText('after', () => `\n${wrapAnsi(text, program.configureOutput().getOutHelpWidth?.() ?? MAX_WIDTH)}`);
}

/** True if Commander ends because it printed the help or the version, also if a command is missing. */
export const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');

/**
 * Creates the command line parser. Its `parseAsync` throws `CliError` for invalid arguments and a
 * `CommanderError` after it has printed the help or the version.
 */
export function createProgram({ stdout, stderr }: Streams, run: RunCommand): Program {
  const width = Math.min(stdout.columns ?? DEFAULT_WIDTH, MAX_WIDTH);
  const program = new Program('lectern')
    .version(manifest.version, '-v, --version', 'print the version')
    .helpOption(HELP_OPTION.syntax, HELP_OPTION.description)
    .helpCommand('help [command]', 'Show the help of a command')
    .configureHelp({ minWidthToWrap: MIN_WRAP_WIDTH })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // The caller prints errors, also as JSON.
      outputError: () => undefined,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .exitOverride((error) => {
      throw isHelp(error) ? error : usageError(usageMessage(error, 'lectern'));
    });
  addEpilog(program, EPILOG);
  for (const command of COMMANDS) {
    const path = `lectern ${command.name}`;
    if ('run' in command) addCommand(program, command, path, run);
    else {
      const group = addProgram(program, command, path).helpCommand(false);
      for (const inner of command.commands) addCommand(group, inner, `${path} ${inner.name}`, run);
    }
  }
  return program;
}
