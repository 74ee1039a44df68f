import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { columnOf, positionOf } from '../storage/column-record.ts';
import { largeFrameOf, readFrames, truncateFile } from '../storage/frame-file.ts';
import { LogWriter } from '../storage/log-writer.ts';
import { PayloadFile } from '../storage/payload-file.ts';
import type { StoredSlice } from '../storage/payload-store.ts';
import type { LogRecord } from '../storage/record.ts';
import { decodeRecord, encodeRecord } from '../storage/record-codec.ts';
import { syncFolder } from '../storage/sync-folder.ts';

const filePattern = /^(log|snapshot)-(\d+)\.bin$/;

/** The state of a collection's files after reading them. */
export interface RecoveredFiles {
  readonly writer: LogWriter;
  /** The number of the current log. A snapshot with the same number, if any, precedes it. */
  readonly generation: number;
  readonly snapshotBytes: number;
  /** Whether the snapshot is one of an earlier version, with a record for each group of points. */
  readonly hasOldSnapshot: boolean;
  /** Bytes of an incomplete write that were removed. */
  readonly tornBytes: number;
}

function pathOf(folder: string, kind: 'log' | 'snapshot', generation: number): string {
  return join(folder, `${kind}-${generation}.bin`);
}

function generationsOf(folder: string, kind: string): number[] {
  const found: number[] = [];
  for (const name of readdirSync(folder)) {
    const match = filePattern.exec(name);
    if (match?.[1] === kind) found.push(Number(match[2]));
  }
  return found.sort((a, b) => a - b);
}

/** Where a record of a snapshot was read. */
export interface RecordSource {
  /** Opens the snapshot, once. */
  openFile(): PayloadFile;
  readonly position: number;
}

function readSnapshot(
  path: string,
  apply: (record: LogRecord, source: RecordSource) => void,
): { bytes: number; isOld: boolean } {
  let complete = false;
  let isOld = false;
  let file: PayloadFile | undefined;
  const openFile = (): PayloadFile => {
    file ??= new PayloadFile(path);
    return file;
  };
  const { validBytes, tornBytes } = readFrames(path, (body, position) => {
    const record = decodeRecord(body);
    complete = record.kind === 'end';
    isOld ||= record.kind === 'snapshot';
    apply(record, { openFile, position });
  });
  // A snapshot is renamed only once it is complete on disk, so a crash cannot cause this.
  if (!complete || tornBytes > 0) throw new Error(`${path} is damaged: restore the data folder from a backup`);
  return { bytes: validBytes, isOld };
}

function removeOtherFiles(folder: string, oldest: number): void {
  for (const name of readdirSync(folder)) {
    const match = filePattern.exec(name);
    if (match ? Number(match[2]) < oldest : name.endsWith('.tmp')) rmSync(join(folder, name), { force: true });
  }
}

/** Creates the folder of a new collection durably. */
export async function createFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await syncFolder(dirname(folder));
}

/**
 * Reads a collection's snapshot and logs, and opens its log for writing. Removes a write that a
 * crash interrupted.
 *
 * @throws Error if a file is damaged in a way that a crash cannot cause
 */
export async function recoverFiles(
  folder: string,
  apply: (record: LogRecord, source?: RecordSource) => void,
): Promise<RecoveredFiles> {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: restore the data folder from a backup`);
  const snapshot = generationsOf(folder, 'snapshot').at(-1);
  const { bytes: snapshotBytes, isOld: hasOldSnapshot } =
    snapshot === undefined ? { bytes: 0, isOld: false } : readSnapshot(pathOf(folder, 'snapshot', snapshot), apply);
  const logs = generationsOf(folder, 'log').filter((generation) => generation >= (snapshot ?? 0));
  let tornBytes = 0;
  for (const generation of logs) {
    const path = pathOf(folder, 'log', generation);
    const read = readFrames(path, (body) => {
      if (tornBytes > 0) throw new Error(`${folder} is damaged: a log ends early but a later one has entries`);
      apply(decodeRecord(body));
    });
    if (read.tornBytes > 0) truncateFile(path, read.validBytes);
    tornBytes += read.tornBytes;
  }
  removeOtherFiles(folder, snapshot ?? 0);
  const generation = logs.at(-1) ?? snapshot ?? 0;
  const writer = await LogWriter.open(folder, pathOf(folder, 'log', generation));
  return { writer, generation, snapshotBytes, hasOldSnapshot, tornBytes };
}

/** A snapshot that was written. */
export interface WrittenSnapshot {
  readonly generation: number;
  readonly snapshotBytes: number;
  readonly path: string;
  /** Where it contains payloads. */
  readonly payloads: readonly StoredSlice[];
}

/** Returns where a record of a snapshot contains payloads. */
export function storedPayloads(record: LogRecord, positionOfBytes: (bytes: Uint8Array) => number): StoredSlice[] {
  if (record.kind !== 'columns' || record.part !== 'payloads') return [];
  const offsets = columnOf(record, 'offsets', Uint32Array);
  const ends = columnOf(record, 'ends', Uint32Array);
  return [{ offsets, ends, position: positionOfBytes(columnOf(record, 'bytes', Uint8Array)) }];
}

/**
 * Starts a new log, writes a snapshot and deletes the files that it replaces. Records can be appended
 * in the meantime: they are in the new log. `capture` returns the records of the state at the time
 * of its call.
 */
export async function compactFiles(
  folder: string,
  writer: LogWriter,
  generation: number,
  capture: () => Iterable<LogRecord>,
): Promise<WrittenSnapshot> {
  const next = generation + 1;
  await writer.rotate(pathOf(folder, 'log', next));
  const path = pathOf(folder, 'snapshot', next);
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  let snapshotBytes = 0;
  const payloads: StoredSlice[] = [];
  try {
    // Everything that changes the points from here on is in the new log.
    for (const record of capture()) {
      const frame = await largeFrameOf(encodeRecord(record));
      const expected = frame.reduce((sum, part) => sum + part.byteLength, 0);
      const { bytesWritten } = await file.writev(frame);
      // The disk can be full in the middle of a frame.
      if (bytesWritten !== expected) throw new Error(`only ${bytesWritten} of ${expected} bytes could be written`);
      payloads.push(...storedPayloads(record, (bytes) => snapshotBytes + positionOf(frame, bytes)));
      snapshotBytes += bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(folder);
  for (const kind of ['log', 'snapshot'] as const)
    for (const old of generationsOf(folder, kind)) if (old < next) await rm(pathOf(folder, kind, old), { force: true });
  return { generation: next, snapshotBytes, path, payloads };
}
