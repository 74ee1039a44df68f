import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBufferedUploads } from '#http/body/buffered-uploads';

const MiB = 1024 * 1024;
const LIMITS = { MAX_HELD_UPLOAD_BYTES: 10 * MiB, MAX_HELD_UPLOADS_TOTAL_BYTES: 40 * MiB };
const unlimited = async () => 1024 * 1024 * MiB;
const origin = (pairId: string, network = '192.0.2.1') => ({ pairId, network });
const limited = expect.objectContaining({ code: 'rate_limited' });

describe('disk space for uploads', () => {
  it('is limited for each pair and in total', async () => {
    const uploads = createBufferedUploads(LIMITS, unlimited);
    const reservations = [await uploads.reserve(origin('a'), 10 * MiB), await uploads.reserve(origin('a'), 10 * MiB)];
    await expect(uploads.reserve(origin('a'), 1)).rejects.toEqual(limited);
    reservations.push(await uploads.reserve(origin('b'), 20 * MiB));
    await expect(uploads.reserve(origin('c'), 1)).rejects.toEqual(limited);
    for (const reservation of reservations) reservation.release();
    await uploads.reserve(origin('a'), 20 * MiB);
  });

  it('is reserved as bytes arrive if the length is not declared', async () => {
    const uploads = createBufferedUploads(LIMITS, unlimited);
    const reservation = await uploads.reserve(origin('a'), undefined);
    await reservation.grow(1);
    await reservation.grow(20 * MiB - 1);
    await expect(reservation.grow(24 * MiB)).rejects.toEqual(limited);
    reservation.release();
    await expect(reservation.grow(25 * MiB)).rejects.toMatchObject({ code: 'cancelled' });
    await uploads.reserve(origin('a'), 20 * MiB);
  });

  it('is denied if the disk would be full', async () => {
    let free = 5;
    const uploads = createBufferedUploads(LIMITS, async () => free);
    const reservation = await uploads.reserve(origin('a'), 5);
    await expect(uploads.reserve(origin('a'), 1)).rejects.toMatchObject({ code: 'unavailable' });
    reservation.release();
    free += 1;
    await uploads.reserve(origin('a'), 6);
  });

  it('is denied for a while after wrong signatures, only to that key and address', async () => {
    const uploads = createBufferedUploads(LIMITS, unlimited);
    uploads.noteRejected(origin('a'), 10 * MiB - 1);
    (await uploads.reserve(origin('a'), 1)).release();
    uploads.noteRejected(origin('a'), 1);
    await expect(uploads.reserve(origin('a'), 1)).rejects.toMatchObject({
      message: expect.stringContaining('wrong signature'),
    });
    await uploads.reserve(origin('b'), 1);
    await uploads.reserve(origin('a', '192.0.2.2'), 1);
  });

  it('is fully released when every upload has ended, in any order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pair: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(25 * MiB), known: fc.boolean() }), {
          maxLength: 20,
        }),
        async (requests) => {
          const uploads = createBufferedUploads(LIMITS, unlimited);
          const attempts = requests.map(async ({ pair, bytes, known }) => {
            const reservation = await uploads.reserve(origin(pair), known ? bytes : undefined);
            try {
              await reservation.grow(bytes);
            } finally {
              reservation.release();
            }
          });
          await Promise.allSettled(attempts);
          await uploads.reserve(origin('a'), 20 * MiB);
          await uploads.reserve(origin('b'), 20 * MiB);
        },
      ),
    ));
});
