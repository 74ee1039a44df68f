import { describe, expect, it } from '@jest/globals';
import { readEvents } from './sse.ts';

const TEXT =
  ': ping\r\n\r\nid: 1\r\nevent: a\r\ndata: {"t":"é"}\r\n\r\ndata:x\ndata: y\n\nevent: lost\n\nevent: unfinished\ndata: 1\n';

async function readInChunks(size: number) {
  const bytes = new TextEncoder().encode(TEXT);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return Array.fromAsync(readEvents(body));
}

describe('readEvents', () => {
  it.each([1, 2, 3, 7, 1_000])('parses events from chunks of %i bytes', async (size) => {
    expect(await readInChunks(size)).toEqual([
      { event: 'a', data: '{"t":"é"}', id: '1' },
      { event: 'message', data: 'x\ny', id: '1' },
    ]);
  });

  it('rejects an event that is too large', async () => {
    const line = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}\n`);
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(line) });
    await expect(Array.fromAsync(readEvents(endless))).rejects.toThrow('exceeds');
  });
});

describe('an idle stream', () => {
  const ticking = (everyMs: number) => {
    let timer: ReturnType<typeof setInterval>;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const pings = new TextEncoder().encode(': ping\n\n');
        let remaining = 10;
        timer = setInterval(() => {
          remaining -= 1;
          if (remaining > 0) controller.enqueue(pings);
          else {
            clearInterval(timer);
            controller.close();
          }
        }, everyMs);
      },
      cancel: () => clearInterval(timer),
    });
  };

  it('times out unless it sends comments', async () => {
    const idle = Array.fromAsync(readEvents(ticking(60_000), { timeoutMs: 50 }));
    await expect(idle).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: true });
    expect(await Array.fromAsync(readEvents(ticking(20), { timeoutMs: 150 }))).toEqual([]);
  });
});
