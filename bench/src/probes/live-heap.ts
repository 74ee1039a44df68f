import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@lectern/local-engines';
import { z } from 'zod';

/** The port of Node's inspector after SIGUSR1. Only one process at a time can use it. */
const INSPECTOR = 'http://127.0.0.1:9229';
/** A socket listening on it, in the format of /proc/net/tcp. */
const LISTENS = /^\s*\d+: 0100007F:240D \S+ 0A /m;
const TIMEOUT_MS = 30_000;
const POLL_MS = 50;

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string() })).min(1);
const answer = z
  .object({ id: z.number(), result: z.unknown(), error: z.unknown() })
  .partial({ result: true, error: true });
const evaluated = z.object({ result: z.object({ value: z.string() }) });
const usage = z.object({ pid: z.number(), heapUsed: z.number(), external: z.number() });

const READ = `JSON.stringify({ pid: process.pid, ...process.memoryUsage() })`;
// Only after all clients have disconnected: closing the inspector with a connected client can crash
// the process.
const CLOSE = `setTimeout(() => process.getBuiltinModule('node:inspector').close(), 500), 'closing'`;

/**
 * Measures the live heap of a Node process in bytes after two forced collections, including
 * external buffers. Opens the inspector with SIGUSR1 on port 9229 and closes it again. Linux only.
 * Throws if another program uses that port.
 */
export async function measureLiveHeap(pid: number, signal: AbortSignal): Promise<number> {
  if (await listens()) throw new Error(`${INSPECTOR} is in use.`);
  process.kill(pid, 'SIGUSR1');
  const url = await findInspector(signal);
  const inspector = await connect(url);
  try {
    // The second collection frees what finalizers of the first one released.
    await inspector.send('HeapProfiler.collectGarbage');
    await delay(POLL_MS);
    await inspector.send('HeapProfiler.collectGarbage');
    const read = usage.parse(JSON.parse(await inspector.evaluate(READ)));
    if (read.pid !== pid) throw new Error(`${INSPECTOR} is the inspector of another process, ${read.pid}.`);
    await inspector.evaluate(CLOSE);
    return read.heapUsed + read.external;
  } finally {
    await inspector.close();
    await untilGone(signal);
  }
}

/** Checks without connecting. */
async function listens(): Promise<boolean> {
  return LISTENS.test(await readFile('/proc/net/tcp', 'utf8'));
}

async function findInspector(signal: AbortSignal): Promise<string> {
  await waitUntil(listens, { what: 'the inspector', timeoutMs: TIMEOUT_MS, intervalMs: POLL_MS, signal });
  const reply = Promise.withResolvers<string>();
  get(`${INSPECTOR}/json/list`, { agent: false, signal }, (response) => reply.resolve(text(response))).on(
    'error',
    reply.reject,
  );
  const [first] = targets.parse(JSON.parse(await reply.promise));
  if (first === undefined) throw new Error('The inspector lists no target.');
  return first.webSocketDebuggerUrl;
}

async function untilGone(signal: AbortSignal): Promise<void> {
  const isGone = async () => !(await listens());
  await waitUntil(isGone, { what: 'the inspector to close', timeoutMs: TIMEOUT_MS, intervalMs: POLL_MS, signal });
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let next = 1;
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error(`${url} cannot be reached.`)));
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The inspector was closed.'));
    closed.resolve();
  });
  socket.addEventListener('message', ({ data }) => {
    const { success, data: reply } = answer.safeParse(JSON.parse(String(data)));
    if (!success) return;
    if (reply.error === undefined) waiting.get(reply.id)?.resolve(reply.result);
    else waiting.get(reply.id)?.reject(new Error(JSON.stringify(reply.error)));
    waiting.delete(reply.id);
  });
  await opened.promise;
  const send = (method: string, params: object = {}): Promise<unknown> => {
    const id = next;
    next += 1;
    const reply = Promise.withResolvers<unknown>();
    waiting.set(id, reply);
    socket.send(JSON.stringify({ id, method, params }));
    return reply.promise;
  };
  return {
    send,
    evaluate: async (expression: string) =>
      evaluated.parse(await send('Runtime.evaluate', { expression, returnByValue: true })).result.value,
    close: async () => {
      socket.close();
      await closed.promise;
    },
  };
}
