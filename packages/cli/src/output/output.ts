import type { Writable } from 'node:stream';

/** Where a command writes: results to stdout, all else to stderr. */
export interface Output {
  /** True where results are to be JSON and nothing else. */
  readonly isJson: boolean;
  /** True where stderr is a terminal that can draw. */
  readonly canDraw: boolean;
  /** A line of a result; nothing where JSON is wanted. */
  line(text?: string): void;
  /** Text of a result without a line's end; nothing where JSON is wanted. */
  write(text: string): void;
  /** The result as one line of JSON; nothing where it is not wanted. */
  json(value: unknown): void;
  /** A remark for a person; nothing where JSON is wanted. */
  note(text: string): void;
  /** Draws over the line before; nothing where that cannot be done. */
  draw(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
}

export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
}

/** Makes the output. Colours only on a terminal and without `NO_COLOR` (no-color.org). */
export function createOutput({ stdout, stderr, env }: Streams, isJson: boolean): Output {
  const hasColour = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const canDraw = stderr.isTTY === true && !isJson && env.TERM !== 'dumb';
  const style = (start: number, end: number) => (text: string) =>
    hasColour ? `\u001B[${start}m${text}\u001B[${end}m` : text;
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
