import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { memoryLimitMark } from '#worker/protocol';

const intervalMs = 50;

const { maxRssBytes, hostPid } = z.object({ maxRssBytes: z.number(), hostPid: z.number() }).parse(workerData);

/**
 * Runs on a thread of its own beside the parser, so that it also sees a parser that never returns. Ends the process when
 * its memory, buffers and native memory included, passes the limit, and when the host is gone.
 */
setInterval(() => {
  const tooLarge = process.memoryUsage.rss() > maxRssBytes;
  if (tooLarge) writeSync(2, `${memoryLimitMark}\n`);
  if (tooLarge || process.ppid !== hostPid) process.kill(process.pid, 'SIGKILL');
}, intervalMs);
