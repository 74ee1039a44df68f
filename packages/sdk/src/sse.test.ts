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
