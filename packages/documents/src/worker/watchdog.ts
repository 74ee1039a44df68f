import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { memoryLimitMark } from '#worker/memory-limit-mark';

const intervalMs = 50;

// From main.ts. Not validated: zod would be loaded a second time, only for this thread.
const { maxRssBytes, hostPid }: { readonly maxRssBytes: number; readonly hostPid: number } = workerData;

/**
 * Runs on a separate thread, so that it also catches a parser that never returns. Kills the process
 * if its memory, including buffers and native memory, exceeds the limit, or if the host has exited.
 */
setInterval(() => {
  const tooLarge = process.memoryUsage.rss() > maxRssBytes;
  if (tooLarge) writeSync(2, `${memoryLimitMark}\n`);
  if (tooLarge || process.ppid !== hostPid) process.kill(process.pid, 'SIGKILL');
}, intervalMs);
