import { ParseError } from '#parse-error';
import { type InflateBudget, inflateBounded } from '#zip/inflate-bounded';

interface Entry {
  readonly method: number;
  readonly encrypted: boolean;
  readonly compressedBytes: number;
  readonly localHeader: number;
}

const endRecord = 0x06054b50;
const centralHeader = 0x02014b50;
const localHeader = 0x04034b50;
const mostEntries = 20_000;

const damaged = (): ParseError =>
  new ParseError(
    'corrupt_file',
    'This file is damaged, or only part of it was uploaded. Save it anew and upload it again.',
  );

/** The end record stands in the last 64 KiB, before a comment (APPNOTE 4.3.16). */
const findEndRecord = (view: DataView): number => {
  const lowest = Math.max(0, view.byteLength - 22 - 65_535);
  for (let at = view.byteLength - 22; at >= lowest; at--) if (view.getUint32(at, true) === endRecord) return at;
  throw damaged();
};

const readDirectory = (bytes: Uint8Array, view: DataView): Map<string, Entry> => {
  const end = findEndRecord(view);
  const count = Math.min(view.getUint16(end + 10, true), mostEntries);
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== centralHeader) throw damaged();
    const nameBytes = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)).replaceAll('\\', '/');
    entries.set(name, {
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      compressedBytes: view.getUint32(at + 20, true),
      localHeader: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
};

/** The entries of a ZIP file, inflated when asked for and no further than the file's budget. */
export class ZipFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries: Map<string, Entry>;
  readonly #budget: InflateBudget;

  /**
   * @param maxInflatedBytes most bytes that all entries read may have together, whatever sizes they declare
   * @throws ParseError `corrupt_file` when the directory cannot be read
   */
  constructor(bytes: Uint8Array, maxInflatedBytes: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#budget = { maxBytes: maxInflatedBytes, usedBytes: 0 };
    try {
      this.#entries = readDirectory(bytes, this.#view);
    } catch (error) {
      throw error instanceof RangeError ? damaged() : error;
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** @throws ParseError `corrupt_file` when there is no such entry or it is damaged, `encrypted`, `too_large` past the budget */
  read(name: string): Uint8Array {
    const entry = this.#entries.get(name);
    if (!entry) throw damaged();
    if (entry.encrypted) {
      throw new ParseError('encrypted', 'This file is protected by a password. Remove it and upload the file again.');
    }
    return inflateBounded(this.#compressed(entry), entry.method, this.#budget);
  }

  #compressed(entry: Entry): Uint8Array {
    const at = entry.localHeader;
    if (at + 30 > this.#bytes.length || this.#view.getUint32(at, true) !== localHeader) throw damaged();
    const start = at + 30 + this.#view.getUint16(at + 26, true) + this.#view.getUint16(at + 28, true);
    if (start + entry.compressedBytes > this.#bytes.length) throw damaged();
    return this.#bytes.subarray(start, start + entry.compressedBytes);
  }
}
