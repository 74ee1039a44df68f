import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Bitmap, findImageRules, toPageRules, withoutRules } from '#ocr/image-rules';

const dpi = 100;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const draw = (width: number, height: number, boxes: readonly Box[]): Bitmap => {
  const wordsPerRow = Math.ceil(width / 32);
  const words = new Int32Array(wordsPerRow * height);
  for (const box of boxes)
    for (let y = box.y; y < Math.min(height, box.y + box.height); y++)
      for (let x = box.x; x < Math.min(width, box.x + box.width); x++) {
        const index = y * wordsPerRow + (x >> 5);
        words[index] = (words[index] ?? 0) | (0x80000000 >>> (x & 31));
      }
  return { width, height, wordsPerRow, words };
};

const inkOf = (pbm: Uint8Array): number => {
  const start = Buffer.from(pbm).indexOf('\n', Buffer.from(pbm).indexOf('\n') + 1) + 1;
  return pbm.subarray(start).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
};

const thickness = fc.integer({ min: 1, max: 3 });
const across = fc.record({
  x: fc.nat(100),
  y: fc.integer({ min: 5, max: 180 }),
  width: fc.integer({ min: 60, max: 190 }),
  height: thickness,
});

it('finds a line at any place, and removes it', () => {
  fc.assert(
    fc.property(across, fc.boolean(), (box, isDown) => {
      const turned = isDown ? { x: box.y, y: box.x, width: box.height, height: box.width } : box;
      const image = draw(300, 300, [turned]);
      const found = findImageRules(image, dpi);
      const rules = toPageRules(found, 300, 1);
      const at = isDown ? turned.x : 300 - turned.y - turned.height + 1;
      expect(rules?.[isDown ? 'vertical' : 'horizontal']).toEqual([
        expect.objectContaining({ at: isDown ? at : expect.closeTo(at, 0) }),
      ]);
      expect(inkOf(withoutRules(image, found))).toBe(0);
    }),
  );
});

it('finds no lines in letters, dark areas, and dotted lines', () => {
  const letters = Array.from({ length: 20 }, (_, index) => ({ x: 10 + index * 12, y: 20, width: 8, height: 12 }));
  const dots = Array.from({ length: 60 }, (_, index) => ({ x: 10 + index * 4, y: 150, width: 1, height: 1 }));
  const dark = { x: 50, y: 200, width: 150, height: 80 };
  expect(findImageRules(draw(300, 300, [...letters, ...dots, dark]), dpi)).toEqual({ horizontal: [], vertical: [] });
});

it('finds no lines in letters whatever resolution the image declares', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 120 }), fc.integer({ min: 10, max: 28 }), (declared, height) => {
      const stems = Array.from({ length: 30 }, (_, index) => ({ x: 10 + index * 15, y: 40, width: 3, height }));
      expect(findImageRules(draw(600, 600, stems), declared)).toEqual({ horizontal: [], vertical: [] });
    }),
    { numRuns: 200 },
  );
});

it('reads any image', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 40 }),
      fc.infiniteStream(fc.nat()),
      (w, h, random) => {
        const image = draw(w, h, []);
        for (const index of image.words.keys()) image.words[index] = Number(random.next().value ?? 0) | 0;
        const found = findImageRules(image, 30);
        expect(withoutRules(image, found).length).toBe(`P4\n${w} ${h}\n`.length + Math.ceil(w / 8) * h);
      },
    ),
    { numRuns: 50 },
  );
});
