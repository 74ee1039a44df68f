import type { ParseArgsOptionsConfig } from 'node:util';
import type { Output } from '#output/output';

/** What a command works with. */
export interface Shell {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly stdin: NodeJS.ReadStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** What stood behind the command's name. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The last value of an option, where it was given. */
  text(name: string): string | undefined;
  /** All values of an option that may be given again and again. */
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name, for example `QUERY [--limit N]`. */
  readonly usage: string;
  /** Each option with its meaning, for the help. */
  readonly options: ParseArgsOptionsConfig;
  readonly help: readonly (readonly [string, string])[];
  /** Answers the exit code. Throws `CliError`. */
  readonly run: (args: Arguments, shell: Shell) => Promise<number>;
}
