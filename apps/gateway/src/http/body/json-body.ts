import { AppError } from '@lectern/service-kit';
import type { z } from 'zod';
import type { Config } from '#config';
import type { Body } from '#http/body/body';
import { checkJson } from '#http/body/check-json';
import { requireMediaType } from '#http/body/media-type';
import { NotJson } from '#http/body/not-json';
import { hasBody, readBytes } from '#http/body/read-bytes';
import type { BodySource } from '#http/body/request-body';
import { validate } from '#http/validate';

type Limit = 'MAX_JSON_BYTES' | 'MAX_DOCUMENT_BYTES';

const CHARSETS: readonly string[] = ['utf-8', 'utf8', 'us-ascii'];
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new NotJson('must be UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = position === undefined ? '' : ` (at position ${position})`;
    throw new NotJson(`must be valid JSON${where}`);
  }
}

/** The body's JSON; undefined where there is no body. */
export async function readJson(request: BodySource, config: Config, limit: Limit): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const charset = requireMediaType(request, 'application/json').params.get('charset')?.toLowerCase();
  if (charset !== undefined && !CHARSETS.includes(charset)) {
    throw new AppError('unsupported_media_type', 'JSON must be in UTF-8; leave the charset out.');
  }
  const bytes = await readBytes(request, { limitBytes: config[limit], timeoutMs: config.BODY_TIMEOUT_MS });
  if (bytes.length === 0) return undefined;
  const value = parse(decode(bytes));
  checkJson(value);
  return value;
}

/** A JSON body that must be there. Its size is limited by a setting, `MAX_JSON_BYTES` unless another is named. */
export function jsonBody<T extends z.ZodType>(schema: T, limit: Limit = 'MAX_JSON_BYTES'): Body<z.output<T>> {
  return {
    mediaType: 'application/json',
    required: true,
    schema,
    limit,
    read: async (request, config) => {
      const value = await readJson(request, config, limit);
      if (value === undefined) throw new NotJson('is required: send a JSON object');
      return validate(schema, value, 'body');
    },
  };
}

/** A JSON body that may be left out, which means the same as `{}`. */
export function optionalJsonBody<T extends z.ZodType>(schema: T): Body<z.output<T>> {
  return {
    mediaType: 'application/json',
    required: false,
    schema,
    limit: 'MAX_JSON_BYTES',
    read: async (request, config) => {
      const value = await readJson(request, config, 'MAX_JSON_BYTES');
      return validate(schema, value === undefined ? {} : value, 'body');
    },
  };
}
