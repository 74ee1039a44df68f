import { detectFileType } from '#detect/detect-file-type';

/**
 * Returns the MIME type of a file, from its content if possible, else from its name. Cheap and safe for
 * untrusted bytes: it looks for signatures and decompresses nothing.
 *
 * @param bytes the whole file; from the beginning alone, ZIP-based formats can be detected as `application/zip`
 */
export const detectMimeType = (bytes: Uint8Array, fileName: string): string => detectFileType(bytes, fileName).mimeType;
