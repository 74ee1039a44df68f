import type { CompoundFile } from '#compound/compound-file';
import { ParseError } from '#parse-error';

// The binary format of PowerPoint 97 to 2003 (MS-PPT): a stream of nested records. Each save can
// append changed objects; the edits name the newest place of each.

const RECORD = {
  slide: 1006,
  notes: 1008,
  notesAtom: 1009,
  slidePersist: 1011,
  outlineText: 3998,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  slideList: 4080,
  userEdit: 4085,
  persistDirectory: 6002,
} as const;

/** Records per file, and how deep they nest: far above real files. */
const MAX_RECORDS = 2_000_000;
const MAX_DEPTH = 32;
/** Saves without a complete one in between. */
const MAX_EDITS = 10_000;

const ENCRYPTED = 0xf3d1c4df;
const HEADER = 8;

const damaged = (): ParseError =>
  new ParseError('corrupt_file', 'This presentation is damaged. Save it again and upload the new copy.');

interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly body: Buffer;
}

/** Reads the record at an offset. */
function recordAt(stream: Buffer, at: number): PptRecord {
  const versionAndInstance = stream.readUInt16LE(at);
  const length = stream.readUInt32LE(at + 4);
  return {
    type: stream.readUInt16LE(at + 2),
    instance: versionAndInstance >>> 4,
    isContainer: (versionAndInstance & 0xf) === 0xf,
    body: stream.subarray(at + HEADER, at + HEADER + length),
  };
}

/** Yields the records in a container. */
function* recordsIn(body: Buffer): Generator<PptRecord> {
  for (let at = 0; at + HEADER <= body.length; ) {
    const record = recordAt(body, at);
    yield record;
    at += HEADER + record.body.length;
  }
}

/** A text with its kind (section 2.13.33). */
interface SlideText {
  readonly kind: 'title' | 'body' | 'other';
  readonly text: string;
}

const KINDS: Readonly<Record<number, SlideText['kind']>> = {
  0: 'title',
  1: 'body',
  5: 'body',
  6: 'title',
  7: 'body',
  8: 'body',
};

/** Collects the texts of records in their order. */
class TextCollector {
  readonly #texts: SlideText[] = [];
  #kind: SlideText['kind'] = 'other';
  #records = 0;

  get texts(): readonly SlideText[] {
    return this.#texts;
  }

  add(record: PptRecord, depth = 0): void {
    this.#records += 1;
    if (depth > MAX_DEPTH || this.#records > MAX_RECORDS) throw damaged();
    const { type, body } = record;
    if (type === RECORD.textHeader) this.#kind = KINDS[body.readUInt32LE(0)] ?? 'other';
    else if (type === RECORD.textChars) this.#push(body.toString('utf16le'));
    else if (type === RECORD.textBytes) this.#push(body.toString('latin1'));
    else if (record.isContainer) for (const child of recordsIn(body)) this.add(child, depth + 1);
  }

  #push(text: string): void {
    this.#texts.push({ kind: this.#kind, text });
  }
}

/** A slide, or the notes of one, in a slide list. */
interface Listed {
  readonly persistId: number;
  readonly slideId: number;
  /** The texts of its placeholders that the list contains. */
  readonly texts: readonly SlideText[];
}

function readSlideList(list: PptRecord | undefined): Listed[] {
  const listed: { readonly persistId: number; readonly slideId: number; readonly collector: TextCollector }[] = [];
  for (const record of list === undefined ? [] : recordsIn(list.body)) {
    if (record.type === RECORD.slidePersist) {
      const persistId = record.body.readUInt32LE(0);
      listed.push({ persistId, slideId: record.body.readUInt32LE(12), collector: new TextCollector() });
    } else listed.at(-1)?.collector.add(record);
  }
  return listed.map(({ collector, ...item }) => ({ ...item, texts: collector.texts }));
}

/** Reads the offsets of objects, the newest first (section 2.1.2). */
function readDirectory(stream: Buffer, newestEdit: number) {
  const offsets = new Map<number, number>();
  let documentId: number | undefined;
  let editAt = newestEdit;
  for (let edits = 0; editAt !== 0; edits += 1) {
    const edit = recordAt(stream, editAt);
    if (edit.type !== RECORD.userEdit || edits > MAX_EDITS) throw damaged();
    documentId ??= edit.body.readUInt32LE(16);
    const directory = recordAt(stream, edit.body.readUInt32LE(12));
    if (directory.type !== RECORD.persistDirectory) throw damaged();
    readEntries(directory.body, offsets);
    editAt = edit.body.readUInt32LE(8);
  }
  return { offsets, documentId };
}

function readEntries(body: Buffer, offsets: Map<number, number>): void {
  for (let at = 0; at + 4 <= body.length; ) {
    const header = body.readUInt32LE(at);
    const first = header & 0xfffff;
    const count = header >>> 20;
    at += 4;
    for (let n = 0; n < count; n += 1, at += 4) {
      if (!offsets.has(first + n)) offsets.set(first + n, body.readUInt32LE(at));
    }
  }
}

export interface OldSlide {
  readonly texts: readonly SlideText[];
  readonly notes: readonly SlideText[];
}

/** The texts of an object that are not in the slide list: those of its shapes. */
function textsAt(stream: Buffer, offset: number | undefined): readonly SlideText[] {
  if (offset === undefined) return [];
  const collector = new TextCollector();
  collector.add(recordAt(stream, offset));
  return collector.texts;
}

/** The slide that notes belong to. */
function slideOfNotes(stream: Buffer, offset: number | undefined): number | undefined {
  if (offset === undefined) return undefined;
  for (const { type, body } of recordsIn(recordAt(stream, offset).body)) {
    if (type === RECORD.notesAtom) return body.readUInt32LE(0);
  }
  return undefined;
}

/** Yields the slides of a presentation in their order. Throws ParseError. */
export function* readSlides(file: CompoundFile): Generator<OldSlide> {
  const user = file.require('Current User');
  if (user.readUInt32LE(12) === ENCRYPTED) {
    throw new ParseError(
      'encrypted',
      'This presentation is protected by a password. Remove the password and upload the file again.',
    );
  }
  const stream = file.require('PowerPoint Document');
  const { offsets, documentId } = readDirectory(stream, user.readUInt32LE(16));
  const documentAt = documentId === undefined ? undefined : offsets.get(documentId);
  if (documentAt === undefined) throw damaged();
  const lists = [...recordsIn(recordAt(stream, documentAt).body)].filter(({ type }) => type === RECORD.slideList);
  const listOf = (instance: number) => readSlideList(lists.find((list) => list.instance === instance));
  const notes = new Map(
    listOf(2).map((listed) => [slideOfNotes(stream, offsets.get(listed.persistId)), listed] as const),
  );
  const allTexts = (listed: Listed | undefined) =>
    listed === undefined ? [] : [...listed.texts, ...textsAt(stream, offsets.get(listed.persistId))];
  for (const slide of listOf(0)) yield { texts: allTexts(slide), notes: allTexts(notes.get(slide.slideId)) };
}
