import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { ParseError } from '#parse-error';
import { openZip, repackZip } from '#zip/zip-archive';

const codeOf = async (reading: Promise<unknown>): Promise<unknown> => {
  try {
    return await reading;
  } catch (error) {
    return error instanceof ParseError ? error.code : error;
  }
};

/** Overwrites the declared sizes of all entries, in local headers and in the directory. */
const withDeclaredSize = (zip: Uint8Array, sizeBytes: number): Uint8Array => {
  const copy = Buffer.from(zip);
  for (let at = 0; at < copy.length - 30; at++) {
    if (copy.readUInt32LE(at) === 0x04034b50) copy.writeUInt32LE(sizeBytes, at + 22);
    if (copy.readUInt32LE(at) === 0x02014b50) copy.writeUInt32LE(sizeBytes, at + 24);
  }
  return copy;
};

describe('openZip', () => {
  it('reads compressed and stored entries', async () => {
    const zip = await openZip(
      zipSync({ 'a/b.txt': strToU8('hello'.repeat(100)), c: [strToU8('stored'), { level: 0 }] }),
      1000,
    );
    expect(zip.names).toEqual(['a/b.txt', 'c']);
    expect(Buffer.from(await zip.read('a/b.txt')).toString()).toBe('hello'.repeat(100));
    expect(Buffer.from(await zip.read('c')).toString()).toBe('stored');
    expect(zip.has('d')).toBe(false);
    expect(await codeOf(zip.read('d'))).toBe('corrupt_file');
  });

  it('stops at the budget for all entries, regardless of the declared sizes', async () => {
    const bomb = withDeclaredSize(zipSync({ a: new Uint8Array(10_000_000) }), 10);
    expect(await codeOf(openZip(bomb, 1_000_000).then((opened) => opened.read('a')))).toBe('too_large');
    const zip = await openZip(zipSync({ a: new Uint8Array(600), b: new Uint8Array(600) }), 1000);
    expect(await zip.read('a')).toHaveLength(600);
    expect(await codeOf(zip.read('b'))).toBe('too_large');
  });

  it('counts an entry again each time it is read', async () => {
    const zip = await openZip(zipSync({ a: new Uint8Array(900_000) }), 1_000_000);
    await zip.read('a');
    expect(await codeOf(zip.read('a'))).toBe('too_large');
  });

  it('accepts bytes after the end of the archive', async () => {
    const zip = await openZip(Buffer.concat([zipSync({ a: strToU8('text') }), Buffer.from('\r\n--\r\n')]), 1000);
    expect(Buffer.from(await zip.read('a')).toString()).toBe('text');
  });

  it('reads at most 20,000 entries', async () => {
    const files = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`${n}.`, new Uint8Array()]));
    expect((await openZip(zipSync(files, { level: 0 }), 1000)).names).toHaveLength(20_000);
  });

  it.each([
    ['an encrypted entry', 0x0001],
    ['a strongly encrypted entry', 0x0041],
  ])('rejects %s', async (_name, flags) => {
    const bytes = Buffer.from(zipSync({ a: strToU8('text') }));
    bytes.writeUInt16LE(flags, bytes.indexOf('PK\x01\x02', 'latin1') + 8);
    expect(await codeOf(openZip(bytes, 1000).then((zip) => zip.read('a')))).toBe('encrypted');
  });

  it('rejects a compression method other than DEFLATE', async () => {
    const bytes = Buffer.from(zipSync({ a: strToU8('text') }));
    bytes.writeUInt16LE(14, bytes.indexOf('PK\x01\x02', 'latin1') + 10);
    expect(await codeOf(openZip(bytes, 1000).then((zip) => zip.read('a')))).toBe('corrupt_file');
  });

  it('reads names as UTF-8 and with forward slashes', async () => {
    const bytes = Buffer.from(zipSync({ 'ä\\b': strToU8('text') }));
    // Without the flag for UTF-8.
    bytes.writeUInt16LE(0, bytes.indexOf('PK\x01\x02', 'latin1') + 8);
    expect((await openZip(bytes, 1000)).names).toEqual(['ä/b']);
  });

  it('throws only ParseError for damaged archives', async () => {
    const whole = zipSync({ 'a.xml': strToU8('<a>some text that is compressed</a>'.repeat(20)), b: strToU8('b') });
    const damage = fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat({ max: whole.length }), async (changes, length) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const zip = await openZip(bytes.subarray(0, length), 100_000);
          for (const name of zip.names) await zip.read(name);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('repackZip', () => {
  it('keeps the selected entries, without folders', async () => {
    const zip = await openZip(zipSync({ 'a/': new Uint8Array(), 'a/b': strToU8('b'), c: strToU8('c') }), 1000);
    const copy = await openZip(await repackZip(zip, (name) => name.startsWith('a/')), 1000);
    expect(copy.names).toEqual(['a/b']);
    expect(Buffer.from(await copy.read('a/b')).toString()).toBe('b');
  });
});
