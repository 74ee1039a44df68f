import type { Writable } from 'node:stream';
import wrapAnsi from 'wrap-ansi';
import { createWrapStream, type WrapStream } from '#output/wrap-stream';

/** The output of a command: results on stdout, everything else on stderr. */
export interface Output {
  /** True if results are printed as JSON only. */
  readonly isJson: boolean;
  /** True if stderr is a terminal that supports drawing. */
  readonly canDraw: boolean;
  /** Prints a line of the result. Does nothing with `--json`. */
  line(text?: string): void;
  /** Prints text. On a terminal, breaks lines between words. `indent` starts each line, `first` the first one. */
  paragraph(text: string, indent?: string, first?: string): void;
  /** Creates a stream for text of the result that arrives in pieces. Prints nothing with `--json`. */
  stream(): WrapStream;
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
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
}

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 20;

/** Creates the output. Uses colors only on a terminal and without `NO_COLOR` (no-color.org). */
export function createOutput({ stdout, stderr, env }: Streams, isJson: boolean): Output {
  const hasColor = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const canDraw = stderr.isTTY === true && !isJson && env.TERM !== 'dumb';
  const style = (start: number, end: number) => (text: string) =>
    hasColor ? `\u001B[${start}m${text}\u001B[${end}m` : text;
  const write = (text: string) => {
    if (!isJson) stdout.write(text);
  };
  /** Undefined if the output is not for a terminal: programs that read it expect whole lines. */
  const columns = stdout.isTTY === true ? Math.max(stdout.columns ?? DEFAULT_COLUMNS, MIN_COLUMNS) : undefined;
  return {
    isJson,
    canDraw,
    line: (text = '') => write(`${text}\n`),
    paragraph: (text, indent = '', first = indent) => {
      const lines = columns === undefined ? text : wrapAnsi(text, columns - indent.length);
      write(`${first}${lines.replaceAll('\n', `\n${indent}`)}\n`);
    },
    stream: () => (columns === undefined ? { write, end: () => undefined } : createWrapStream(columns, write)),
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
