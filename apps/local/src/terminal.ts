/** The output of the launcher. The output of each process is in its log. */
export interface Terminal {
  print(line: string): void;
  warn(line: string): void;
}

// Lectern keeps running if the reader of its output ends (`npm start | head`).
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

/** Writes to standard output and standard error. */
export const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
};
