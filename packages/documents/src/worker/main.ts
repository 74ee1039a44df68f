import { Worker } from 'node:worker_threads';
import { parseBytes } from '#formats/parse-bytes';
import { OcrNeeded, ParseError } from '#parse-error';
import { cutNetwork } from '#worker/cut-network';
import { type WorkerMessage, workerRequest } from '#worker/protocol';
import { readInput } from '#worker/read-input';

// The child process: receives one file at a time and replies with its text, the text or the image of one
// of its pages, or an error. Started by parser-child.ts.
const send = (message: WorkerMessage): void => {
  process.send?.(message);
};

const reply = async (message: unknown): Promise<WorkerMessage> => {
  const { sizeBytes, ...task } = workerRequest.parse(message);
  const bytes = await readInput(process.stdin, sizeBytes);
  const rssBytes = (): number => process.memoryUsage.rss();
  try {
    if (task.type === 'recognize') {
      // Only the processes that recognize text load the engine.
      const { recognizePage } = await import('#formats/recognize-page');
      return { type: 'recognized', page: await recognizePage({ ...task, bytes }), rssBytes: rssBytes() };
    }
    if (task.type === 'render') {
      const { renderPage } = await import('#formats/render-page');
      return { type: 'rendered', image: await renderPage({ ...task, bytes }), rssBytes: rssBytes() };
    }
    const ocr = task.ocr && { recognized: task.ocr.recognized, unreadPages: task.ocr.unreadPages };
    return { type: 'parsed', document: await parseBytes({ ...task, ocr, bytes }), rssBytes: rssBytes() };
  } catch (error) {
    if (error instanceof OcrNeeded) return { type: 'ocr_needed', pages: error.pages, rssBytes: rssBytes() };
    if (error instanceof ParseError) {
      return { type: 'failed', code: error.code, message: error.message, rssBytes: rssBytes() };
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
  reply(message).then(send, (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1));
  });
});
watchdog.once('online', () => send({ type: 'ready' }));
