import { AppError } from '@lectern/service-kit';
import type { LsiModel } from '#lsi/lsi-model';

/** `LSI1` in ASCII. Another layout needs another number. */
const MAGIC = 0x3149534c;
const HEADER_BYTES = 16;

/**
 * Serializes a model, little-endian: magic, dimensions, terms, passages (32 bits each), then the
 * columns `terms`, `idf`, `scales` (4 bytes per term), then `directions` (1 byte per term and
 * dimension).
 */
export function lsiToBytes(model: LsiModel): Uint8Array<ArrayBuffer> {
  const { dimensions, passages, terms, idf, scales, directions } = model;
  const bytes = new Uint8Array(HEADER_BYTES + terms.length * 12 + directions.length);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of [MAGIC, dimensions, terms.length, passages].entries()) view.setUint32(at * 4, value, true);
  for (let term = 0; term < terms.length; term++) {
    const at = HEADER_BYTES + term * 4;
    view.setUint32(at, terms[term] ?? 0, true);
    view.setFloat32(at + terms.length * 4, idf[term] ?? 0, true);
    view.setFloat32(at + terms.length * 8, scales[term] ?? 0, true);
  }
  bytes.set(
    new Uint8Array(directions.buffer, directions.byteOffset, directions.length),
    HEADER_BYTES + terms.length * 12,
  );
  return bytes;
}

/**
 * Parses a serialized model.
 * @throws AppError `internal_error` if the bytes are invalid or truncated
 */
export function lsiFromBytes(bytes: Uint8Array): LsiModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const broken = () => new AppError('internal_error', 'A stored space is damaged.');
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw broken();
  const [dimensions = 0, count = 0, passages = 0] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (bytes.byteLength !== HEADER_BYTES + count * (12 + dimensions)) throw broken();
  const column = (number: number) => HEADER_BYTES + number * count * 4;
  return {
    dimensions,
    passages,
    terms: Uint32Array.from({ length: count }, (_, term) => view.getUint32(column(0) + term * 4, true)),
    idf: Float32Array.from({ length: count }, (_, term) => view.getFloat32(column(1) + term * 4, true)),
    scales: Float32Array.from({ length: count }, (_, term) => view.getFloat32(column(2) + term * 4, true)),
    directions: Int8Array.from(bytes.subarray(column(3))),
  };
}
