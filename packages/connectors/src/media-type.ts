const NO_TEXT =
  /^(image|audio|video|font)\/|^application\/(zip|gzip|x-(tar|gzip|7z-compressed|rar-compressed|msdownload|apple-diskimage)|vnd\.rar|java-archive)\s*(;|$)/i;

/**
 * Returns false for pictures, sound, video, fonts, archives and programs; true for unknown types.
 */
export const canContainText = (mimeType: string | undefined): boolean => !NO_TEXT.test(mimeType ?? '');
