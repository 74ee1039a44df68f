/** Pictures, sound, films, fonts, archives and programs. */
const NO_TEXT =
  /^(image|audio|video|font)\/|^application\/(zip|gzip|x-(tar|gzip|7z-compressed|rar-compressed|msdownload|apple-diskimage)|vnd\.rar|java-archive)\s*(;|$)/i;

/** False for kinds of files that hold no text to search; true where the kind is not known. */
export const mayHoldText = (mimeType: string | undefined): boolean => !NO_TEXT.test(mimeType ?? '');
