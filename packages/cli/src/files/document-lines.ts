import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Body } from '@lectern/sdk';

/** The API accepts 100 documents in a batch. */
const MAX_DOCUMENTS = 100;
/** Well below the limit of a request, 32 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;

export type NewDocument = Body<'createDocuments'>['documents'][number];

/** A line of a JSON Lines file. */
export interface DocumentLine {
  /** Counted from 1. */
  readonly line: number;
  /** Undefined if the line is not a document. */
  readonly document: NewDocument | undefined;
}

/** The server validates the rest. */
function isDocument(value: unknown): value is NewDocument {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'title') === 'string' && typeof Reflect.get(value, 'content') === 'string';
}

function parse(text: string): NewDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a JSON Lines file as batches of up to 100 documents and 8 MiB. Skips empty lines. */
export async function* readDocumentLines(file: string): AsyncGenerator<readonly DocumentLine[]> {
  let batch: DocumentLine[] = [];
  let bytes = 0;
  let line = 0;
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const size = Buffer.byteLength(text);
    if (batch.length === MAX_DOCUMENTS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ line, document: parse(text) });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
