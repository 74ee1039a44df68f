import type { Output } from '#output/output';

/** The environment that a command runs in. */
export interface Shell {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly stdin: NodeJS.ReadStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The parsed arguments of a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The last value of an option. */
  text(name: string): string | undefined;
  /** All values of a repeatable option. */
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

/** An option or argument in the syntax of Commander, for example `--limit <n>` or `[text...]`. */
export interface Parameter {
  readonly syntax: string;
  readonly description: string;
  /** The only valid values. */
  readonly choices?: readonly string[];
}

/** Every command has it. */
export const JSON_OPTION: Parameter = { syntax: '--json', description: 'print the result as JSON' };
export const HELP_OPTION: Parameter = { syntax: '-h, --help', description: 'show this help' };

interface Named {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
}

/** A command that does something. */
export interface Command extends Named {
  readonly parameters?: readonly Parameter[];
  readonly options?: readonly Parameter[];
  /** A paragraph below the help. */
  readonly note?: string;
  /** Returns the exit code. Throws `CliError`. */
  readonly run: (args: Arguments, shell: Shell) => Promise<number>;
}

/** A command that consists of others, for example `lectern keys create`. */
export interface CommandGroup extends Named {
  readonly commands: readonly Command[];
}
