import { type FileType, fileTypes } from '#detect/file-formats';

const unread = (mimeType: string, name: string): FileType => ({ format: undefined, mimeType, name });

const image = 'an image';
const audio = 'an audio recording';
const video = 'a video';
const archive = 'an archive';
const program = 'a program';

/**
 * First bytes (as Latin-1) of common unsupported files, so that errors name them and they are never
 * read as text.
 */
export const signatures: readonly (readonly [offset: number, bytes: string, type: FileType])[] = [
  [0, '\x89PNG', fileTypes.png],
  [0, '\xff\xd8\xff', fileTypes.jpeg],
  [0, 'GIF8', unread('image/gif', image)],
  [0, 'II*\0', fileTypes.tiff],
  [0, 'MM\0*', fileTypes.tiff],
  [8, 'WEBP', fileTypes.webp],
  [8, 'WAVE', unread('audio/wav', audio)],
  [0, 'ID3', unread('audio/mpeg', audio)],
  [0, 'OggS', unread('audio/ogg', audio)],
  [0, 'fLaC', unread('audio/flac', audio)],
  [4, 'ftypM4A', unread('audio/mp4', audio)],
  [4, 'ftypqt', unread('video/quicktime', video)],
  [4, 'ftyphei', unread('image/heic', image)],
  [4, 'ftyp', unread('video/mp4', video)],
  [0, '\x1aE\xdf\xa3', unread('video/webm', video)],
  [0, '\x1f\x8b', fileTypes.gzip],
  [0, 'BZh', unread('application/x-bzip2', archive)],
  [0, '\xfd7zXZ', unread('application/x-xz', archive)],
  [0, "7z\xbc\xaf'\x1c", unread('application/x-7z-compressed', archive)],
  [0, 'Rar!\x1a\x07', unread('application/vnd.rar', archive)],
  [257, 'ustar', fileTypes.tar],
  [0, '\x7fELF', unread('application/x-elf', program)],
  [0, 'MZ\x90\0', unread('application/vnd.microsoft.portable-executable', program)],
  [0, '\0asm', unread('application/wasm', program)],
];
