import { ParseError } from '#parse-error';
import type { ChildEnd } from '#pool/parser-child';
import { memoryLimitMark } from '#worker/memory-limit-mark';

const seconds = (ms: number): string => (ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`);

/** Returns the error of a file that took too long to parse. */
export const timedOut = (timeoutMs: number): ParseError =>
  new ParseError(
    'timeout',
    `Reading this file took longer than ${seconds(timeoutMs)} and was stopped. Save it again or split it into parts.`,
  );

const heapMessage = /heap out of memory|allocation failed|heap limit/i;

/**
 * Returns the error of a file whose parser process died: out of memory if the watchdog, V8 or the
 * system's out-of-memory killer (the only unrequested SIGKILL) ended it, else a crash.
 */
export const diedOn = (end: ChildEnd, memoryLimitMb: number): ParseError => {
  const cause = { cause: new Error(`exit code ${end.exitCode}, signal ${end.signal}: ${end.stderr.slice(-1000)}`) };
  if (end.stderr.includes(memoryLimitMark) || heapMessage.test(end.stderr) || end.signal === 'SIGKILL') {
    return new ParseError(
      'out_of_memory',
      `Reading this file needs more than ${memoryLimitMb} MB of memory. Remove embedded media or split it into parts.`,
      cause,
    );
  }
  return new ParseError(
    'parser_crashed',
    'The parser for this file type crashed. Save the file again and upload the new copy.',
    cause,
  );
};

/** Returns the error of a file over the size limit. */
export const tooManyBytes = (sizeBytes: number, maxInputBytes: number): ParseError => {
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  return new ParseError(
    'too_large',
    `This file has ${megabytes(sizeBytes)}; the limit is ${megabytes(maxInputBytes)}. Split it into parts.`,
  );
};
