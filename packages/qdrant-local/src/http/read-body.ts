import type { IncomingMessage } from 'node:http';
import { formatError, QdrantError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/types.ts';

/** The maximum size of a body, in bytes. */
const maxBodyBytes = 64 * 1024 * 1024;

function tooLarge(): QdrantError {
  return new QdrantError(413, `JSON payload has exceeded limit (${maxBodyBytes} bytes).`);
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.reject(tooLarge());
  // Listeners instead of an iterator: most bodies are one chunk, and an iterator would dominate the
  // cost.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    request.on('data', (chunk: Buffer) => {
      total += chunk.length;
      if (total <= maxBodyBytes) chunks.push(chunk);
      else {
        request.pause();
        reject(tooLarge());
      }
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, total)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client disconnected during its request')));
  });
}

/**
 * Reads the body as a JSON object; `{}` if there is none.
 *
 * @throws QdrantError 400 for other content, 413 for a body that is too large
 */
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
