import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

const MAX_LINES = 40;
const MAX_LINE_CHARS = 4_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The output of a process: its last lines in memory, and all lines in a file, if given. */
export type ProcessLog = {
  /** Reads an output stream line by line. */
  follow(stream: Readable): void;
  /** Resolves at the next matching line. */
  lineMatching(pattern: RegExp): Promise<void>;
  lastLines(): readonly string[];
  close(): void;
};

/** Opens a log. Renames a file above 16 MiB to `<file>.1` first. */
export function openProcessLog(file: string | undefined): ProcessLog {
  const recent: string[] = [];
  const waiting = new Map<RegExp, () => void>();
  const sink = file === undefined ? undefined : openFile(file);

  function addLine(line: string): void {
    recent.push(line.slice(0, MAX_LINE_CHARS));
    if (recent.length > MAX_LINES) recent.shift();
    for (const [pattern, found] of waiting) {
      if (!pattern.test(line)) continue;
      waiting.delete(pattern);
      found();
    }
  }

  return {
    follow(stream) {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        sink?.write(text);
        const lines = (rest + text).split('\n');
        rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
        for (const line of lines) addLine(line);
      });
      stream.on('end', () => {
        if (rest !== '') addLine(rest);
      });
      stream.on('error', () => undefined);
    },
    lineMatching: (pattern) => new Promise((found) => waiting.set(pattern, found)),
    lastLines: () => [...recent],
    close: () => sink?.end(),
  };
}

function openFile(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_FILE_BYTES) renameSync(file, `${file}.1`);
  const sink = createWriteStream(file, { flags: 'a', mode: 0o600 });
  // A full disk must not crash the launcher. The last lines are still in memory.
  sink.on('error', () => undefined);
  return sink;
}
