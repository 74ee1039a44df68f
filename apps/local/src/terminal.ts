/** What the person at the terminal sees; each part's own output is in its log. */
export interface Terminal {
  say(line: string): void;
  warn(line: string): void;
}

/** Writes to standard output and standard error. */
export const terminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
};
