import { describe, expect, it } from '@jest/globals';
import type { Vector } from '../model/vectors.ts';
import type { LogRecord } from './record.ts';
import { decodeRecord, encodeRecord } from './record-codec.ts';

const dense = (...values: number[]): Vector => ({ kind: 'dense', values: Float32Array.from(values) });
const sparse = (...pairs: [number, number][]): Vector => ({
  kind: 'sparse',
  sparse: {
    indices: Uint32Array.from(pairs, ([index]) => index),
    values: Float32Array.from(pairs, ([, value]) => value),
  },
});

const points = [
  {
    id: 1,
    payload: { text: 'naïve ☃ 𝒳' },
    vectors: new Map([
      ['d', dense(0.1, -2)],
      ['s', sparse([1, 2], [4294967295, 0.5])],
    ]),
  },
  { id: '00000000-0000-4000-8000-000000000001', payload: {}, vectors: new Map([['s', sparse()]]) },
  {
    id: 7,
    payload: { __proto__x: [null, true, { a: 1.5 }] },
    vectors: new Map([
      ['d', dense(3, 4)],
      ['', dense(1)],
    ]),
  },
];

describe('the encoding of log records', () => {
  it.each<LogRecord>([
    { kind: 'put', version: 3, points },
    { kind: 'snapshot', version: 9, points, versions: [3, 4, 9] },
    { kind: 'vectors', version: 4, points: points.map(({ id, vectors }) => ({ id, vectors })) },
    { kind: 'payload', version: 5, points: points.map(({ id, payload }) => ({ id, payload })) },
    { kind: 'dropVectors', version: 6, ids: [1], names: ['d'] },
    { kind: 'delete', version: 7, ids: [1, '00000000-0000-4000-8000-000000000001'] },
    { kind: 'end', version: 8 },
  ])('decodes a $kind record unchanged', (record) => {
    expect(decodeRecord(Buffer.concat(encodeRecord(record)))).toEqual(record);
  });

  it('decodes records at any memory address', () => {
    const encoded = Buffer.concat(encodeRecord({ kind: 'put', version: 3, points }));
    const shifted = new Uint8Array(encoded.length + 1);
    shifted.set(encoded, 1);
    expect(decodeRecord(shifted.subarray(1))).toEqual({ kind: 'put', version: 3, points });
  });

  it('decodes a record at any offset of a buffer', () => {
    const record: LogRecord = { kind: 'put', version: 3, points };
    const encoded = Buffer.concat(encodeRecord(record));
    for (const start of [0, 1, 2, 3]) {
      const buffer = Buffer.allocUnsafeSlow(encoded.length + 4);
      encoded.copy(buffer, start);
      expect(decodeRecord(buffer.subarray(start, start + encoded.length))).toEqual(record);
    }
  });
});
