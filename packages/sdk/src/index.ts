export type { Client } from './client.ts';
export { type ErrorCode, LecternConnectionError, LecternError } from './errors.ts';
export { Lectern } from './lectern.ts';
export { type Page, Paged } from './paged.ts';
export type { UploadProgress } from './put-with-progress.ts';
export { signatureHeaders } from './sign.ts';
export type { LecternOptions } from './transport.ts';
export type * from './types.ts';
export type { UploadFile, UploadOptions } from './upload.ts';
