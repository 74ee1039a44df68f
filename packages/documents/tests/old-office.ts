import { CFB } from '@e965/xlsx';

// Files in the old formats of Microsoft Office, built after their specifications.

/** Returns a compound file with these streams. */
function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const container = CFB.utils.cfb_new();
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${path}`, Buffer.from(content));
  return new Uint8Array(CFB.write(container, { type: 'buffer' }));
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

// --- Word ---

/** A part of a text that is stored in one place. A compressed one has one byte per character. */
export interface DocPiece {
  readonly text: string;
  readonly isCompressed: boolean;
}

/** Returns a Word document (MS-DOC) whose text is stored in these pieces, the last one first. */
export function oldDoc(pieces: readonly DocPiece[], flags = 0): Uint8Array {
  const header = Buffer.alloc(1_024);
  let stored = Buffer.alloc(0);
  const places = pieces.toReversed().map(({ text, isCompressed }) => {
    const offset = header.length + stored.length;
    stored = Buffer.concat([stored, Buffer.from(text, isCompressed ? 'latin1' : 'utf16le')]);
    return isCompressed ? ((offset * 2) | 0x40000000) >>> 0 : offset;
  });
  places.reverse();
  const ends = pieces.map((_, at) => pieces.slice(0, at + 1).reduce((sum, { text }) => sum + text.length, 0));
  const table = Buffer.concat([
    ...[0, ...ends].map(u32),
    ...places.map((fc) => Buffer.concat([u16(0), u32(fc), u16(0)])),
  ]);
  const clx = Buffer.concat([Buffer.from([2]), u32(table.length), table]);
  header.writeUInt16LE(0xa5ec, 0);
  header.writeUInt16LE(0x00c1, 2);
  header.writeUInt16LE(0x0200 | flags, 10);
  header.writeUInt32LE(ends.at(-1) ?? 0, 64 + 4 * 3);
  header.writeUInt32LE(0, 154 + 8 * 33);
  header.writeUInt32LE(clx.length, 154 + 8 * 33 + 4);
  return compoundFile({ WordDocument: Buffer.concat([header, stored]), '1Table': clx });
}

// --- PowerPoint ---

const record = (type: number, body: Buffer, { isContainer = false, instance = 0 } = {}): Buffer =>
  Buffer.concat([u16((instance << 4) | (isContainer ? 0xf : 0)), u16(type), u32(body.length), body]);
const container = (type: number, children: readonly Buffer[], instance = 0): Buffer =>
  record(type, Buffer.concat(children), { isContainer: true, instance });
const texts = (kind: number, text: string): Buffer[] => [
  record(3999, u32(kind)),
  Buffer.from(text, 'latin1').toString('latin1') === text
    ? record(4008, Buffer.from(text, 'latin1'))
    : record(4000, Buffer.from(text, 'utf16le')),
];

export interface PptSlide {
  readonly title: string;
  /** Lines of the outline. */
  readonly body: readonly string[];
  /** A text box outside of the outline. */
  readonly box?: string;
  readonly notes?: string;
}

interface Objects {
  readonly stream: Buffer;
  readonly entries: readonly (readonly [persistId: number, offset: number])[];
}

/** The document, its slides and their notes: persist ids 1, 2 to n + 1, and n + 2 to 2n + 1. */
function pptObjects(slides: readonly PptSlide[], at: number): Objects {
  const persist = (id: number, slideId: number) =>
    record(1011, Buffer.concat([u32(id), u32(0), u32(0), u32(slideId), u32(0)]));
  const list = container(
    4080,
    slides.flatMap(({ title, body }, n) => [
      persist(n + 2, 256 + n),
      ...texts(0, title),
      ...(body.length === 0 ? [] : texts(1, body.join('\r'))),
    ]),
  );
  const notesList = container(
    4080,
    slides.map((_, n) => persist(slides.length + n + 2, 512 + n)),
    2,
  );
  const shape = (kind: number, text: string) => container(0xf00d, texts(kind, text));
  const objects = [
    container(1000, [list, notesList]),
    ...slides.map(({ box }) => container(1006, box === undefined ? [] : [container(1036, [shape(4, box)])])),
    ...slides.map(({ notes }, n) =>
      container(1008, [
        record(1009, Buffer.concat([u32(256 + n), u32(0)])),
        ...(notes === undefined ? [] : [container(1036, [shape(2, notes)])]),
      ]),
    ),
  ];
  let offset = at;
  const entries = objects.map((bytes, n) => {
    const entry = [n + 1, offset] as const;
    offset += bytes.length;
    return entry;
  });
  return { stream: Buffer.concat(objects), entries };
}

/** Returns a presentation (MS-PPT) that was saved once for each of the versions; the last one counts. */
export function oldPpt(...versions: readonly (readonly PptSlide[])[]): Uint8Array {
  let stream = Buffer.alloc(0);
  let lastEdit = 0;
  for (const slides of versions) {
    const objects = pptObjects(slides, stream.length);
    stream = Buffer.concat([stream, objects.stream]);
    const directoryAt = stream.length;
    const entries = objects.entries.map(([id, offset]) => Buffer.concat([u32((1 << 20) | id), u32(offset)]));
    stream = Buffer.concat([stream, record(6002, Buffer.concat(entries))]);
    const editAt = stream.length;
    const edit = [u32(0), u32(0x03000000), u32(lastEdit), u32(directoryAt), u32(1), u32(0), u32(0)];
    stream = Buffer.concat([stream, record(4085, Buffer.concat(edit))]);
    lastEdit = editAt;
  }
  const user = Buffer.concat([u16(0), u16(0x0ff6), u32(20), u32(20), u32(0xe391c05f), u32(lastEdit), u32(0)]);
  return compoundFile({ 'PowerPoint Document': stream, 'Current User': user });
}

// --- Outlook ---

export interface MsgFile {
  /** Streams by tag and type, for example `0037001F`. */
  readonly texts: Readonly<Record<string, string | Uint8Array>>;
  /** The code page of texts of the type 001E. */
  readonly codePage?: number;
  readonly deliveredAt?: Date;
  readonly attachments?: readonly { readonly name: string; readonly type: string; readonly content: Uint8Array }[];
}

const msgStream = (tag: string, value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, tag.endsWith('001F') ? 'utf16le' : 'latin1') : value;

/** Returns an Outlook message (MS-OXMSG). */
export function msg({ texts: values, codePage, deliveredAt, attachments = [] }: MsgFile): Uint8Array {
  const time = Buffer.alloc(8);
  if (deliveredAt) time.writeBigUInt64LE(BigInt(deliveredAt.getTime() + 11_644_473_600_000) * 10_000n);
  const fixed = [
    ...(codePage === undefined ? [] : [Buffer.concat([u32(0x3ffd0003), u32(0), u32(codePage), u32(0)])]),
    ...(deliveredAt === undefined ? [] : [Buffer.concat([u32(0x0e060040), u32(0), time])]),
  ];
  const streams = Object.entries(values).map(([tag, value]) => [`__substg1.0_${tag}`, msgStream(tag, value)] as const);
  const attached = attachments.flatMap(({ name, type, content }, n) => {
    const folder = `__attach_version1.0_#${n.toString(16).padStart(8, '0').toUpperCase()}`;
    return [
      [`${folder}/__substg1.0_3707001F`, Buffer.from(name, 'utf16le')],
      [`${folder}/__substg1.0_370E001F`, Buffer.from(type, 'utf16le')],
      [`${folder}/__substg1.0_37010102`, content],
    ] as const;
  });
  return compoundFile({
    '__properties_version1.0': Buffer.concat([Buffer.alloc(32), ...fixed]),
    ...Object.fromEntries([...streams, ...attached]),
  });
}
