import { type DestinationStream, destination, symbols } from 'pino';

/** Lines wait to be written together: at most this long, and until there are this many bytes. */
const WAITING = { ms: 100, bytes: 8_192 } as const;
const STANDARD_OUTPUT = 1;
/** Pino's number of the level. */
const WARN = 40;

/** A destination on which pino sets the level of a line before it writes the line. */
interface LeveledStream extends DestinationStream {
  readonly [symbols.needsMetadataGsym]: true;
  lastLevel: number;
}

/**
 * Writes lines to a file descriptor: warnings and errors at once, others together, because a write
 * for each request is 8% of the CPU time of a search in the gateway. At exit it writes what waits.
 */
export function createLogOutput(fd: number): DestinationStream {
  const output = destination({ dest: fd, sync: true, minLength: WAITING.bytes });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    output.flushSync();
  };
  process.once('exit', flush);
  const stream: LeveledStream = {
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line) => {
      output.write(line);
      if (stream.lastLevel >= WARN) flush();
      else timer ??= setTimeout(flush, WAITING.ms).unref();
    },
  };
  return stream;
}

let standardOutput: DestinationStream | undefined;

/** Returns the output of all loggers of the process. */
export function logOutput(): DestinationStream {
  standardOutput ??= createLogOutput(STANDARD_OUTPUT);
  return standardOutput;
}
