import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { memoryLimitMark } from '#worker/memory-limit-mark';

const intervalMs = 50;

// Given by main.ts beside it. A library that checks this would be loaded a second time, for this thread alone.
const { maxRssBytes, hostPid }: { readonly maxRssBytes: number; readonly hostPid: number } = workerData;

/**
 * Runs on a thread of its own beside the parser, so that it also sees a parser that never returns. Ends the process when
 * its memory, buffers and native memory included, passes the limit, and when the host is gone.
 */
setInterval(() => {
  const tooLarge = process.memoryUsage.rss() > maxRssBytes;
  if (tooLarge) writeSync(2, `${memoryLimitMark}\n`);
  if (tooLarge || process.ppid !== hostPid) process.kill(process.pid, 'SIGKILL');
}, intervalMs);
