import type { IncomingMessage } from 'node:http';
import { formatError, QdrantError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/types.ts';

/** The largest body that is read, in bytes. */
export const maxBodyBytes = 64 * 1024 * 1024;

function tooLarge(): QdrantError {
  return new QdrantError(413, `JSON payload has exceeded limit (${maxBodyBytes} bytes).`);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    total += bytes.length;
    if (total > maxBodyBytes) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, total);
}

/** The body as a JSON object, `{}` when there is none. @throws QdrantError 400 for other content, 413 for too much */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  let value: JsonValue;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw formatError(error instanceof Error ? error.message : 'not JSON');
  }
  if (!isJsonObject(value)) throw formatError('expected an object');
  return value;
}
