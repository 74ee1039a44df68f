import { detectFileType } from '#detect/detect-file-type';

/**
 * The MIME type of a file, from its content where that can be told and from its name where not. Cheap and safe to call
 * on untrusted bytes: it looks for signatures and decompresses nothing.
 *
 * @param bytes the whole file; with only its beginning, ZIP-based formats may come out as `application/zip`
 */
export const detectMimeType = (bytes: Uint8Array, fileName: string): string => detectFileType(bytes, fileName).mimeType;
