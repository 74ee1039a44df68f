import type { BatchBody } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { Config } from '#config';
import { checkJson } from '#http/body/check-json';
import { NotJson } from '#http/body/not-json';
import { readUncheckedJson } from '#http/body/read-json';
import type { BodySource } from '#http/body/request-body';
import { validate } from '#http/validate';

/** An item of a batch, or why it is invalid. */
export type BatchItem<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: Pick<AppError, 'code' | 'message' | 'details'>; readonly sent: unknown };

/** Reads a batch. Throws only for an error of the body as a whole. */
export async function readBatch<T extends z.ZodType>(
  { field, item, maxItems, limit }: BatchBody<T>,
  source: BodySource,
  config: Config,
): Promise<readonly BatchItem<z.output<T>>[]> {
  const body = await readUncheckedJson(source, config, limit);
  if (body === undefined) throw new NotJson('is required: send a JSON object');
  const outer = z.strictObject({ [field]: z.array(z.unknown()).min(1).max(maxItems) });
  const items = validate(outer, body, 'body')[field] ?? [];
  return items.map((sent) => readItem(item, sent));
}

function readItem<T extends z.ZodType>(schema: T, sent: unknown): BatchItem<z.output<T>> {
  try {
    checkJson(sent);
    return { value: validate(schema, sent, 'document') };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { error: { code, message, details }, sent };
  }
}
