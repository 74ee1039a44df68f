import { decodeCodePage } from '#compound/code-page';
import type { CompoundFile } from '#compound/compound-file';
import { fileTimeToIso } from '#compound/file-time';
import type { ParsedContent } from '#parsed-document';
import { meaningfulTitle } from '#text/meaningful-title';

// Property identifiers and types of MS-OLEPS, section 2.25 and 2.15.
const CODE_PAGE = 1;
const TITLE = 2;
const SUBJECT = 3;
const AUTHOR = 4;
const KEYWORDS = 5;
const CREATED = 12;
const SAVED = 13;
const VT_I2 = 2;
const VT_LPSTR = 0x1e;
const VT_LPWSTR = 0x1f;
const VT_FILETIME = 0x40;

/** Properties that a section lists at most; the standard set has 19. */
const MAX_PROPERTIES = 100;

const UTF_16 = 1200;
const withoutEnd = (text: string): string => text.split('\0', 1)[0] ?? '';

/** The value of a property; undefined for types that are not needed. */
function valueAt(section: Buffer, at: number, codePage: number): string | number | undefined {
  const type = section.readUInt16LE(at);
  const start = at + 8;
  switch (type) {
    case VT_I2:
      return section.readUInt16LE(at + 4);
    case VT_LPSTR:
      return withoutEnd(decodeCodePage(section.subarray(start, start + section.readUInt32LE(at + 4)), codePage));
    case VT_LPWSTR:
      return withoutEnd(decodeCodePage(section.subarray(start, start + 2 * section.readUInt32LE(at + 4)), UTF_16));
    case VT_FILETIME:
      return fileTimeToIso(section.readBigUInt64LE(at + 4));
    default:
      return undefined;
  }
}

function readProperties(stream: Buffer): ReadonlyMap<number, string | number> {
  const section = stream.subarray(stream.readUInt32LE(44));
  const count = Math.min(section.readUInt32LE(4), MAX_PROPERTIES);
  const offsets = new Map<number, number>();
  for (let n = 0; n < count; n += 1) {
    offsets.set(section.readUInt32LE(8 + 8 * n), section.readUInt32LE(12 + 8 * n));
  }
  const codePageAt = offsets.get(CODE_PAGE);
  const codePage = Number((codePageAt === undefined ? undefined : valueAt(section, codePageAt, 0)) ?? 1252);
  const values = new Map<number, string | number>();
  for (const [id, at] of offsets) {
    const value = valueAt(section, at, codePage);
    if (value !== undefined) values.set(id, value);
  }
  return values;
}

/** The title and the metadata of an old Office file. Damaged properties are ignored, as Office does. */
export function summaryOf(file: CompoundFile): Pick<ParsedContent, 'title' | 'metadata'> {
  const stream = file.read('\u0005SummaryInformation') ?? file.read('!SummaryInformation');
  if (stream === undefined) return {};
  let values: ReadonlyMap<number, string | number>;
  try {
    values = readProperties(stream);
  } catch {
    return {};
  }
  const text = (id: number) => values.get(id)?.toString() || undefined;
  const keywords = text(KEYWORDS)
    ?.split(/[,;]/)
    .map((word) => word.trim());
  return {
    title: meaningfulTitle(text(TITLE)),
    metadata: {
      ...{ author: text(AUTHOR), description: text(SUBJECT), keywords },
      ...{ createdAt: text(CREATED), modifiedAt: text(SAVED) },
    },
  };
}
