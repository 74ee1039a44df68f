import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { AppError } from '@lectern/service-kit';
import type { Config } from '#config';
import { createMinuteCounts } from '#limits/minute-counts';

const MiB = 1024 * 1024;
/**
 * Space for a body of unknown length is reserved in steps, to avoid a disk check for each chunk.
 */
const STEP_BYTES = 8 * MiB;
/** Disk space that uploads leave free: bytes, or a share of a small disk, for example a tmpfs. */
const SPARE_BYTES = 512 * MiB;
const SPARE_SHARE = 0.1;
/** Seconds after which an upload has usually been verified. */
const RETRY_SECONDS = 5;

/** Where an upload comes from. */
export interface UploadOrigin {
  readonly pairId: string;
  readonly network: string;
}

/** Disk space reserved for one upload. */
export interface Reservation {
  /** Extends the reservation to this total. Throws `rate_limited` and `unavailable`. */
  grow(bytes: number): Promise<void>;
  /** Releases the space after the bytes are deleted. */
  release(): void;
}

/** Limits the disk space of uploads that are stored before they are processed. */
export interface BufferedUploads {
  /**
   * Reserves space for an upload. `expectedBytes` is the declared length, if there is one. Throws
   * `rate_limited` and `unavailable`.
   */
  reserve(origin: UploadOrigin, expectedBytes: number | undefined): Promise<Reservation>;
  /**
   * Records an upload with a wrong signature. After too many, further uploads from the address are
   * rejected unread for the rest of the minute.
   */
  noteRejected(origin: UploadOrigin, bytes: number): void;
}

async function freeBytes(): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(tmpdir());
  return bavail * bsize - Math.min(SPARE_BYTES, blocks * bsize * SPARE_SHARE);
}

const nameOf = ({ pairId, network }: UploadOrigin) => `${pairId}:${network}`;

function busy(message: string, retryAfter = RETRY_SECONDS): AppError {
  const text = `${message} Retry after ${retryAfter} seconds.`;
  return new AppError('rate_limited', text, { details: { retryAfter } });
}

/**
 * Each replica counts separately, because it has a separate disk. `free` returns the bytes that
 * uploads can still use.
 */
export function createBufferedUploads(
  config: Pick<Config, 'MAX_HELD_UPLOAD_BYTES' | 'MAX_HELD_UPLOADS_TOTAL_BYTES'>,
  free: () => Promise<number> = freeBytes,
): BufferedUploads {
  const { MAX_HELD_UPLOAD_BYTES: maxRejected, MAX_HELD_UPLOADS_TOTAL_BYTES: maxTotal } = config;
  const maxOfPair = Math.floor(maxTotal / 2);
  const rejected = createMinuteCounts(maxRejected);
  const ofPair = new Map<string, number>();
  let total = 0;

  const add = (pairId: string, bytes: number) => {
    total += bytes;
    const sum = (ofPair.get(pairId) ?? 0) + bytes;
    if (sum > 0) ofPair.set(pairId, sum);
    else ofPair.delete(pairId);
  };

  const claim = async (pairId: string, bytes: number) => {
    if ((ofPair.get(pairId) ?? 0) + bytes > maxOfPair) {
      throw busy('Too many uploads with this API key are waiting for verification.');
    }
    if (total + bytes > maxTotal) throw busy('Too many uploads are waiting for verification.');
    // Counted before the disk check, because other requests run during it.
    add(pairId, bytes);
    if ((await free()) >= total) return;
    add(pairId, -bytes);
    throw new AppError(
      'unavailable',
      'The upload cannot be stored: the disk of the server is almost full. Ask the operator to free space.',
    );
  };

  return {
    reserve: async (origin, expectedBytes) => {
      const { pairId } = origin;
      const endsAt = rejected.fullUntil(nameOf(origin));
      if (endsAt !== undefined) {
        const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
        throw busy('Too many uploads from this address had a wrong signature.', seconds);
      }
      let reserved = 0;
      let isReleased = false;
      const grow = async (bytes: number) => {
        if (isReleased) throw new AppError('cancelled', 'The upload was cancelled.');
        if (bytes <= reserved) return;
        const more = Math.max(bytes - reserved, expectedBytes === undefined ? STEP_BYTES : 0);
        await claim(pairId, more);
        if (isReleased) add(pairId, -more);
        else reserved += more;
      };
      await grow(expectedBytes ?? 0);
      return {
        grow,
        release: () => {
          if (!isReleased) add(pairId, -reserved);
          isReleased = true;
        },
      };
    },
    noteRejected: (origin, bytes) => rejected.add(nameOf(origin), bytes),
  };
}
