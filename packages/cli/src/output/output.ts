import type { Writable } from 'node:stream';

/** The output of a command: results on stdout, everything else on stderr. */
export interface Output {
  /** True if results are printed as JSON only. */
  readonly isJson: boolean;
  /** True if stderr is a terminal that supports drawing. */
  readonly canDraw: boolean;
  /** Prints a line of the result. Does nothing with `--json`. */
  line(text?: string): void;
  /** Prints text of the result without a newline. Does nothing with `--json`. */
  write(text: string): void;
  /** Prints the result as one line of JSON. Does nothing without `--json`. */
  json(value: unknown): void;
  /** Prints a note on stderr. Does nothing with `--json`. */
  note(text: string): void;
  /** Replaces the last line if stderr is a terminal. Does nothing otherwise. */
  draw(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
}

export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
}

/** Creates the output. Uses colors only on a terminal and without `NO_COLOR` (no-color.org). */
export function createOutput({ stdout, stderr, env }: Streams, isJson: boolean): Output {
  const hasColor = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const canDraw = stderr.isTTY === true && !isJson && env.TERM !== 'dumb';
  const style = (start: number, end: number) => (text: string) =>
    hasColor ? `\u001B[${start}m${text}\u001B[${end}m` : text;
  const write = (text: string) => {
    if (!isJson) stdout.write(text);
  };
  return {
    isJson,
    canDraw,
    write,
    line: (text = '') => write(`${text}\n`),
    json: (value) => {
      if (isJson) stdout.write(`${JSON.stringify(value)}\n`);
    },
    note: (text) => {
      if (!isJson) stderr.write(`${text}\n`);
    },
    draw: (text) => {
      if (canDraw) stderr.write(`\r\u001B[K${text.slice(0, Math.max(1, (stderr.columns ?? 80) - 1))}`);
    },
    bold: style(1, 22),
    dim: style(2, 22),
  };
}
