const NO_TEXT =
  /^(image|audio|video|font)\/|^application\/(zip|gzip|x-(tar|gzip|7z-compressed|rar-compressed|msdownload|apple-diskimage)|vnd\.rar|java-archive)\s*(;|$)/i;

/** False for pictures, sound, video, fonts, archives and programs; true for unknown types. */
export const mayHoldText = (mimeType: string | undefined): boolean => !NO_TEXT.test(mimeType ?? '');
