/** What the person at the terminal sees; each part's own output is in its log. */
export interface Terminal {
  say(line: string): void;
  warn(line: string): void;
}

// Whoever read the output may go (`npm start | head`); Lectern goes on.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

/** Writes to standard output and standard error. */
export const terminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
};
