import { describe, expect, it } from '@jest/globals';
import { readEvents } from './sse.ts';

const TEXT =
  ': ping\r\n\r\nid: 1\r\nevent: a\r\ndata: {"t":"é"}\r\n\r\ndata:x\ndata: y\n\nevent: lost\n\nevent: unfinished\ndata: 1\n';

async function read(sizes: number) {
  const bytes = new TextEncoder().encode(TEXT);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += sizes) controller.enqueue(bytes.slice(at, at + sizes));
      controller.close();
    },
  });
  return Array.fromAsync(readEvents(body));
}

describe('readEvents', () => {
  it.each([1, 2, 3, 7, 1_000])('reads whole events however the bytes are cut (%i at a time)', async (size) => {
    expect(await read(size)).toEqual([
      { event: 'a', data: '{"t":"é"}', id: '1' },
      { event: 'message', data: 'x\ny', id: '1' },
    ]);
  });
});

describe('a stream that says nothing', () => {
  const ticking = (everyMs: number) => {
    let timer: ReturnType<typeof setInterval>;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const pings = new TextEncoder().encode(': ping\n\n');
        let left = 10;
        timer = setInterval(() => {
          left -= 1;
          if (left > 0) controller.enqueue(pings);
          else {
            clearInterval(timer);
            controller.close();
          }
        }, everyMs);
      },
      cancel: () => clearInterval(timer),
    });
  };

  it('is given up; one that says it is there is not', async () => {
    const silent = Array.fromAsync(readEvents(ticking(60_000), { timeoutMs: 50 }));
    await expect(silent).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: true });
    expect(await Array.fromAsync(readEvents(ticking(20), { timeoutMs: 150 }))).toEqual([]);
  });
});
