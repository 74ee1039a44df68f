import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHeldUploads } from '#http/body/held-uploads';

const MiB = 1024 * 1024;
const LIMITS = { MAX_HELD_UPLOAD_BYTES: 10 * MiB, MAX_HELD_UPLOADS_TOTAL_BYTES: 40 * MiB };
const plenty = async () => 1024 * 1024 * MiB;
const holder = (pairId: string, network = '192.0.2.1') => ({ pairId, network });
const limited = expect.objectContaining({ code: 'rate_limited' });

describe('room for uploads', () => {
  it('is limited for each pair and in total', async () => {
    const uploads = createHeldUploads(LIMITS, plenty);
    const rooms = [await uploads.open(holder('a'), 10 * MiB), await uploads.open(holder('a'), 10 * MiB)];
    await expect(uploads.open(holder('a'), 1)).rejects.toEqual(limited);
    rooms.push(await uploads.open(holder('b'), 20 * MiB));
    await expect(uploads.open(holder('c'), 1)).rejects.toEqual(limited);
    for (const room of rooms) room.release();
    await uploads.open(holder('a'), 20 * MiB);
  });

  it('is reserved as bytes arrive if the length is not declared', async () => {
    const uploads = createHeldUploads(LIMITS, plenty);
    const room = await uploads.open(holder('a'), undefined);
    await room.grow(1);
    await room.grow(20 * MiB - 1);
    await expect(room.grow(24 * MiB)).rejects.toEqual(limited);
    room.release();
    await expect(room.grow(25 * MiB)).rejects.toMatchObject({ code: 'cancelled' });
    await uploads.open(holder('a'), 20 * MiB);
  });

  it('is refused where the disk would be full', async () => {
    let free = 5;
    const uploads = createHeldUploads(LIMITS, async () => free);
    const room = await uploads.open(holder('a'), 5);
    await expect(uploads.open(holder('a'), 1)).rejects.toMatchObject({ code: 'unavailable' });
    room.release();
    free += 1;
    await uploads.open(holder('a'), 6);
  });

  it('is refused for a while after wrong signatures, only to that key and address', async () => {
    const uploads = createHeldUploads(LIMITS, plenty);
    uploads.noteRejected(holder('a'), 10 * MiB - 1);
    (await uploads.open(holder('a'), 1)).release();
    uploads.noteRejected(holder('a'), 1);
    await expect(uploads.open(holder('a'), 1)).rejects.toMatchObject({
      message: expect.stringContaining('wrong signature'),
    });
    await uploads.open(holder('b'), 1);
    await uploads.open(holder('a', '192.0.2.2'), 1);
  });

  it('is fully released when every upload has ended, in any order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pair: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(25 * MiB), known: fc.boolean() }), {
          maxLength: 20,
        }),
        async (asked) => {
          const uploads = createHeldUploads(LIMITS, plenty);
          const attempts = asked.map(async ({ pair, bytes, known }) => {
            const room = await uploads.open(holder(pair), known ? bytes : undefined);
            try {
              await room.grow(bytes);
            } finally {
              room.release();
            }
          });
          await Promise.allSettled(attempts);
          await uploads.open(holder('a'), 20 * MiB);
          await uploads.open(holder('b'), 20 * MiB);
        },
      ),
    ));
});
