import type { Readable } from 'node:stream';

/** Reads exactly `sizeBytes` from a stream that stays open, and pauses it. */
export const readInput = (stream: Readable, sizeBytes: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(sizeBytes);
  if (sizeBytes === 0) return Promise.resolve(bytes);
  return new Promise((resolve, reject) => {
    let at = 0;
    const onData = (piece: Uint8Array): void => {
      const excess = at + piece.length > sizeBytes;
      if (excess) stop(() => reject(new Error('The input is longer than announced.')));
      else bytes.set(piece, at);
      at += piece.length;
      if (at === sizeBytes) stop(() => resolve(bytes));
    };
    const onEnd = (): void => stop(() => reject(new Error('The input ended early.')));
    const stop = (settle: () => void): void => {
      stream.pause().off('data', onData).off('end', onEnd);
      settle();
    };
    stream.on('data', onData).on('end', onEnd).resume();
  });
};
