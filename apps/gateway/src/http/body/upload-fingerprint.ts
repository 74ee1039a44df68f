import { createHash } from 'node:crypto';
import type { Config } from '#config';
import { readMultipart } from '#http/body/read-multipart';
import type { BodySource } from '#http/body/request-body';

/**
 * SHA-256 of the files of an upload, in order, and its metadata. The raw bytes cannot be used,
 * because clients choose a new boundary for each request.
 */
export async function uploadFingerprint(source: BodySource, config: Config): Promise<Buffer> {
  const upload = readMultipart(source, config);
  const hash = createHash('sha256');
  let file = createHash('sha256');
  try {
    for await (const part of upload.parts) {
      if (part.kind === 'bytes') {
        file.update(part.bytes);
        continue;
      }
      hash.update(file.digest());
      file = createHash('sha256');
      hash.update(JSON.stringify(part));
    }
    return hash.update(file.digest()).digest();
  } finally {
    upload.close();
  }
}
