import { open } from 'node:fs/promises';
import { ParseError } from '#parse-error';

/** The bytes of a file, or its path. */
export type InputSource = { readonly bytes: Uint8Array } | { readonly path: string };

/** An open file that can be sent to a child. */
export interface OpenInput extends AsyncDisposable {
  readonly sizeBytes: number;
  /** Writes exactly `sizeBytes` and leaves the stream open. */
  readonly send: (target: NodeJS.WritableStream) => Promise<void>;
}

const pieceBytes = 1024 * 1024;

const write = (target: NodeJS.WritableStream, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    target.write(piece, (error) => (error ? reject(error) : resolve()));
  });

const openBytes = (bytes: Uint8Array): OpenInput => ({
  sizeBytes: bytes.length,
  send: (target) => (bytes.length === 0 ? Promise.resolve() : write(target, bytes)),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

const openPath = async (path: string): Promise<OpenInput> => {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    sizeBytes: size,
    send: async (target) => {
      for (let at = 0; at < size; ) {
        const piece = new Uint8Array(Math.min(pieceBytes, size - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0)
          throw new ParseError('corrupt_file', 'The file became shorter while it was read. Upload it again.');
        await write(target, piece.subarray(0, bytesRead));
        at += bytesRead;
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
};

/** Opens a file, which is then streamed to the child. @throws the file system's error */
export const openInput = (input: InputSource): Promise<OpenInput> =>
  'bytes' in input ? Promise.resolve(openBytes(input.bytes)) : openPath(input.path);
