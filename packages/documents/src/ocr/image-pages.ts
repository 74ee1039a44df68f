/** The most pages of a TIFF; more directories than this are a loop or an attack. */
const maxTiffPages = 10_000;

interface Tiff {
  readonly view: DataView;
  readonly isLittle: boolean;
}

const openTiff = (bytes: Uint8Array): Tiff | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 8) return undefined;
  const order = view.getUint16(0);
  const isLittle = order === 0x4949;
  if (!isLittle && order !== 0x4d4d) return undefined;
  return view.getUint16(2, isLittle) === 42 ? { view, isLittle } : undefined;
};

/** Returns the offset of each page's directory: a linked list through the file. */
const directories = ({ view, isLittle }: Tiff): number[] => {
  const offsets: number[] = [];
  const seen = new Set<number>();
  let at = view.getUint32(4, isLittle);
  while (at >= 8 && at + 2 <= view.byteLength && !seen.has(at) && offsets.length < maxTiffPages) {
    seen.add(at);
    offsets.push(at);
    const next = at + 2 + view.getUint16(at, isLittle) * 12;
    if (next + 4 > view.byteLength) break;
    at = view.getUint32(next, isLittle);
  }
  return offsets;
};

/** Returns the number of pages of an image: a TIFF can have several. */
export const countImagePages = (bytes: Uint8Array): number => {
  const tiff = openTiff(bytes);
  return tiff === undefined ? 1 : Math.max(1, directories(tiff).length);
};

/** Returns an image whose first page is the given page: a TIFF whose header points to the page's directory. */
export const imagePage = (bytes: Uint8Array, page: number): Uint8Array => {
  const tiff = page === 1 ? undefined : openTiff(bytes);
  const offset = tiff && directories(tiff)[page - 1];
  if (tiff === undefined || offset === undefined) return bytes;
  const copy = Uint8Array.from(bytes);
  new DataView(copy.buffer).setUint32(4, offset, tiff.isLittle);
  return copy;
};

/** EXIF's tag 0x0112 (orientation), type SHORT, one value, in both byte orders. */
const orientationTags = ['\x01\x12\0\x03\0\0\0\x01\0', '\x12\x01\x03\0\x01\0\0\0'];
/** EXIF data is in the first segment of a JPEG, at most 64 KiB long. */
const exifBytes = 64 * 1024;

/** Returns how the camera was held that took a JPEG: 1 (upright) to 8. */
export const jpegOrientation = (bytes: Uint8Array): number => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 1;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, exifBytes)).toString('latin1');
  if (!head.includes('Exif\0\0')) return 1;
  for (const tag of orientationTags) {
    const at = head.indexOf(tag);
    const value = at === -1 ? 0 : head.charCodeAt(at + tag.length);
    if (value >= 1 && value <= 8) return value;
  }
  return 1;
};
