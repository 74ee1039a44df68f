import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { ParseError } from '#parse-error';
import { ZipFile } from '#zip/open-zip';

const codeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof ParseError ? error.code : error;
  }
};

/** Overwrites the sizes that an archive declares for its entries, in local headers and directory alike. */
const withDeclaredSize = (zip: Uint8Array, sizeBytes: number): Uint8Array => {
  const copy = Buffer.from(zip);
  for (let at = 0; at < copy.length - 30; at++) {
    if (copy.readUInt32LE(at) === 0x04034b50) copy.writeUInt32LE(sizeBytes, at + 22);
    if (copy.readUInt32LE(at) === 0x02014b50) copy.writeUInt32LE(sizeBytes, at + 24);
  }
  return copy;
};

describe('ZipFile', () => {
  it('reads entries, compressed and stored', () => {
    const zip = new ZipFile(
      zipSync({ 'a/b.txt': strToU8('hello'.repeat(100)), c: [strToU8('stored'), { level: 0 }] }),
      1000,
    );
    expect(zip.names).toEqual(['a/b.txt', 'c']);
    expect(Buffer.from(zip.read('a/b.txt')).toString()).toBe('hello'.repeat(100));
    expect(Buffer.from(zip.read('c')).toString()).toBe('stored');
    expect(zip.has('d')).toBe(false);
    expect(codeOf(() => zip.read('d'))).toBe('corrupt_file');
  });

  it('stops at its budget although the archive declares little, over all entries together', () => {
    const bomb = withDeclaredSize(zipSync({ a: new Uint8Array(10_000_000) }), 10);
    expect(codeOf(() => new ZipFile(bomb, 1_000_000).read('a'))).toBe('too_large');
    const zip = new ZipFile(zipSync({ a: new Uint8Array(600), b: new Uint8Array(600) }), 1000);
    expect(zip.read('a')).toHaveLength(600);
    expect(codeOf(() => zip.read('b'))).toBe('too_large');
  });

  it('is quick about an archive whose entries all share one bomb', () => {
    const zip = new ZipFile(zipSync({ a: new Uint8Array(900_000) }), 1_000_000);
    zip.read('a');
    expect(codeOf(() => zip.read('a'))).toBe('too_large');
  });

  it('says of any damaged archive that it is damaged', () => {
    const whole = zipSync({ 'a.xml': strToU8('<a>some text that is compressed</a>'.repeat(20)), b: strToU8('b') });
    const damage = fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(damage, fc.nat({ max: whole.length }), (changes, length) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const zip = new ZipFile(bytes.subarray(0, length), 100_000);
          for (const name of zip.names) zip.read(name);
        } catch (error) {
          // What fflate says of damaged data is translated by the caller; nothing else may come out.
          expect(error instanceof ParseError || (error instanceof Error && 'code' in error)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
