import { parseBytes } from '#formats/parse-bytes';
import type { ParsedDocument } from '#index';
import { utf8 } from './sample-files.ts';

/** Parses a sample in this process, with small limits. */
export const parseSample = (
  content: Uint8Array | string,
  fileName: string,
  mimeType?: string,
): Promise<ParsedDocument> =>
  parseBytes({
    bytes: typeof content === 'string' ? utf8(content) : content,
    fileName,
    mimeType,
    limits: { maxTextChars: 1_000_000, maxInflatedBytes: 10_000_000 },
  });
