import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

// A frame is: u32 length of the body, u32 CRC-32 of the body, the body. Little-endian.
const headerBytes = 8;
// The checksum of this many bytes takes a few milliseconds.
const bytesPerStep = 4 * 1024 * 1024;
// Records are far smaller. A larger length means that the header is damaged.
const maxBodyBytes = 1 << 30;

/** Returns a frame: length, checksum and the parts of the body. */
export function frameOf(body: readonly Uint8Array[], checksum = checksumOf(body)): Uint8Array[] {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(
    body.reduce((sum, part) => sum + part.byteLength, 0),
    0,
  );
  header.writeUInt32LE(checksum, 4);
  return [header, ...body];
}

function checksumOf(body: readonly Uint8Array[]): number {
  return body.reduce((checksum, part) => crc32(part, checksum), 0);
}

/** Returns the frame of a large body that does not change. Requests are handled in the meantime. */
export async function largeFrameOf(body: readonly Uint8Array[]): Promise<Uint8Array[]> {
  let checksum = 0;
  for (const part of body)
    for (let start = 0; start < part.byteLength; start += bytesPerStep) {
      checksum = crc32(part.subarray(start, start + bytesPerStep), checksum);
      await setImmediate();
    }
  return frameOf(body, checksum);
}

/** The result of reading a file. */
export interface FramesRead {
  /** Bytes up to the end of the last complete frame. */
  readonly validBytes: number;
  /** Bytes after it, from a write that a crash interrupted. */
  readonly tornBytes: number;
}

function readFully(fd: number, length: number, position: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

function readFrame(fd: number, position: number, size: number): Buffer | undefined {
  if (position + headerBytes > size) return undefined;
  const header = readFully(fd, headerBytes, position);
  const length = header.readUInt32LE(0);
  if (length > maxBodyBytes || position + headerBytes + length > size) return undefined;
  const body = readFully(fd, length, position + headerBytes);
  return body.length === length && crc32(body) === header.readUInt32LE(4) ? body : undefined;
}

/** Calls back with the body of each frame and its position. Stops at the first incomplete one. */
export function readFrames(path: string, visit: (body: Buffer, position: number) => void): FramesRead {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    let position = 0;
    for (let body = readFrame(fd, 0, size); body; body = readFrame(fd, position, size)) {
      visit(body, position + headerBytes);
      position += headerBytes + body.length;
    }
    return { validBytes: position, tornBytes: size - position };
  } finally {
    closeSync(fd);
  }
}

/** Truncates a file durably. */
export function truncateFile(path: string, bytes: number): void {
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
