import { z } from 'zod';

/** What `data` holds in the answer of a success, for the API reference. It describes; real answers are checked by it in tests alone. */
export interface AnswerSchema {
  readonly data: z.ZodType;
  /** True where `meta` tells which part of a list this is. */
  readonly paged: boolean;
}

/** An answer of one record. */
export const answers = (data: z.ZodType): AnswerSchema => ({ data, paged: false });

/** An answer of a part of a list. */
export const answersPage = (data: z.ZodType): AnswerSchema => ({ data, paged: true });

/** A time as answers carry it. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601, UTC, milliseconds' });

/** An object of anybody's making, in an answer. */
export const anyObject = z.record(z.string(), z.unknown());

/** What a DELETE answers. */
export const deletedRecord = z.object({ id: z.string(), deleted: z.literal(true) }).meta({
  id: 'Deleted',
  description: 'What is gone',
  examples: [{ id: 'col_01h455vb4pex5vsknk084sn02q', deleted: true }],
});
