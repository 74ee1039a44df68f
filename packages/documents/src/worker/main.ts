import { Worker } from 'node:worker_threads';
import { parseBytes } from '#formats/parse-bytes';
import { ParseError } from '#parse-error';
import { cutNetwork } from '#worker/cut-network';
import { parseRequest, type WorkerMessage } from '#worker/protocol';
import { readInput } from '#worker/read-input';

// The child process: receives one file at a time and replies with its text or an error. Started by
// parser-child.ts.
const send = (message: WorkerMessage): void => {
  process.send?.(message);
};

const parseInput = async (message: unknown): Promise<WorkerMessage> => {
  const { fileName, mimeType, sizeBytes, limits } = parseRequest.parse(message);
  const bytes = await readInput(process.stdin, sizeBytes);
  try {
    const document = await parseBytes({ bytes, fileName, mimeType, limits });
    return { type: 'parsed', document, rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    if (error instanceof ParseError) {
      return { type: 'failed', code: error.code, message: error.message, rssBytes: process.memoryUsage.rss() };
    }
    throw error;
  }
};

cutNetwork();
const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { maxRssBytes: Number(process.argv[2]), hostPid: process.ppid },
});
watchdog.unref();
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  parseInput(message).then(send, (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1));
  });
});
watchdog.once('online', () => send({ type: 'ready' }));
