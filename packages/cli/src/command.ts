import type { ParseArgsOptionsConfig } from 'node:util';
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

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments, for example `QUERY [--limit N]`. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Each option with its description. */
  readonly help: readonly (readonly [string, string])[];
  /** Returns the exit code. Throws `CliError`. */
  readonly run: (args: Arguments, shell: Shell) => Promise<number>;
}
