import { Inflate } from 'fflate';
import { ParseError } from '#parse-error';

/** What the compressed parts of one file have grown to so far, and may at most. */
export interface InflateBudget {
  readonly maxBytes: number;
  usedBytes: number;
}

/** DEFLATE grows a byte to at most 1,032, so a step's output is bounded as well. */
const stepBytes = 16 * 1024;
const stored = 0;
const deflated = 8;

const spend = (budget: InflateBudget, bytes: number): void => {
  budget.usedBytes += bytes;
  if (budget.usedBytes <= budget.maxBytes) return;
  const limit = Math.floor(budget.maxBytes / 1024 / 1024);
  throw new ParseError('too_large', `The contents of this file expand to more than ${limit} MiB, which is not read.`);
};

const join = (pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array => {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/**
 * Inflates one entry, counting what comes out against the file's budget instead of believing the size it declares.
 * @throws ParseError `too_large` when the budget is spent, `corrupt_file` for other compression methods; what fflate says of damaged data
 */
export const inflateBounded = (compressed: Uint8Array, method: number, budget: InflateBudget): Uint8Array => {
  if (method === stored) {
    spend(budget, compressed.length);
    return compressed;
  }
  if (method !== deflated)
    throw new ParseError('corrupt_file', 'This file is compressed in a way that office programs do not use.');
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const inflate = new Inflate((piece) => {
    spend(budget, piece.length);
    pieces.push(piece);
    sizeBytes += piece.length;
  });
  for (let at = 0; at < compressed.length; at += stepBytes) {
    inflate.push(compressed.subarray(at, at + stepBytes), at + stepBytes >= compressed.length);
  }
  return join(pieces, sizeBytes);
};
