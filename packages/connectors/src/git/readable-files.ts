import { posix } from 'node:path';

// File extensions that never contain text.
const NO_TEXT: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg gif webp bmp ico icns tif tiff heic avif psd ai eps ' +
    'mp3 wav ogg flac m4a aac mp4 mov avi mkv webm wmv ' +
    'woff woff2 ttf otf eot zip gz tgz bz2 xz zst 7z rar tar jar war whl gem nupkg ' +
    'exe dll so dylib a o lib obj class pyc pyo wasm bin dat db sqlite iso dmg deb rpm apk'
  ).split(' '),
);

/**
 * Returns false for pictures, sound, fonts, archives and programs: they would only become failed
 * documents.
 */
export const canContainText = (path: string): boolean => !NO_TEXT.has(posix.extname(path).slice(1).toLowerCase());
