import type { JsonLimit } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import type { Config } from '#config';
import { checkJson } from '#http/body/check-json';
import { type JsonLimits, LARGE_JSON, SMALL_JSON } from '#http/body/json-limits';
import { createJsonMeter } from '#http/body/measure-json';
import { requireMediaType } from '#http/body/media-type';
import { NotJson } from '#http/body/not-json';
import { hasBody, readBytes } from '#http/body/read-bytes';
import type { BodySource } from '#http/body/request-body';

const COUNTS: Readonly<Record<JsonLimit, JsonLimits>> = {
  MAX_SMALL_JSON_BYTES: SMALL_JSON,
  MAX_JSON_BYTES: LARGE_JSON,
  MAX_DOCUMENT_BYTES: LARGE_JSON,
};

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

/** Reads a JSON body. Returns undefined if there is no body. */
export async function readJson(request: BodySource, config: Config, limit: JsonLimit): Promise<unknown> {
  const value = await readUncheckedJson(request, config, limit);
  checkJson(value);
  return value;
}

/** The same without `checkJson`, for a body whose items are checked one by one. */
export async function readUncheckedJson(request: BodySource, config: Config, limit: JsonLimit): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const charset = requireMediaType(request, 'application/json').params.get('charset')?.toLowerCase();
  if (charset !== undefined && !CHARSETS.includes(charset)) {
    throw new AppError('unsupported_media_type', 'JSON must be UTF-8. Omit the charset.');
  }
  const meter = createJsonMeter(COUNTS[limit]);
  const limits = { limitBytes: config[limit], timeoutMs: config.BODY_TIMEOUT_MS };
  const bytes = await readBytes(request, { ...limits, onBytes: meter.write });
  if (bytes.length === 0) return undefined;
  return parse(decode(bytes));
}
