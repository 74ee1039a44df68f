import { ParseError } from '#parse-error';
import type { ChildEnd } from '#pool/parser-child';
import { memoryLimitMark } from '#worker/memory-limit-mark';

const seconds = (ms: number): string => (ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`);

/** The error of a file whose parsing ran past its time. */
export const timedOut = (timeoutMs: number): ParseError =>
  new ParseError(
    'timeout',
    `Reading this file took longer than ${seconds(timeoutMs)} and was stopped. Save it anew or split it into parts.`,
  );

const heapMessage = /heap out of memory|allocation failed|heap limit/i;

/**
 * The error of a file whose parser process ended by itself: for its memory when its watchdog, V8 or the system's
 * out-of-memory killer (SIGKILL, which nothing else sends unasked) says so, else a crash.
 */
export const diedOn = (end: ChildEnd, memoryLimitMb: number): ParseError => {
  const cause = { cause: new Error(`exit code ${end.exitCode}, signal ${end.signal}: ${end.stderr.slice(-1000)}`) };
  if (end.stderr.includes(memoryLimitMark) || heapMessage.test(end.stderr) || end.signal === 'SIGKILL') {
    return new ParseError(
      'out_of_memory',
      `Reading this file needs more than ${memoryLimitMb} MB of memory. Save it anew, without embedded media, or split it into parts.`,
      cause,
    );
  }
  return new ParseError(
    'parser_crashed',
    'The reader for this kind of file failed on it. Save the file anew and upload it again.',
    cause,
  );
};

/** The error of a file that is over the input limit. */
export const tooManyBytes = (sizeBytes: number, maxInputBytes: number): ParseError => {
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  return new ParseError(
    'too_large',
    `This file has ${megabytes(sizeBytes)}; files up to ${megabytes(maxInputBytes)} are read. Split it into parts.`,
  );
};
