/** A file to upload. */
export interface LocalFile {
  /** The path on this machine. */
  readonly file: string;
  /** The path in Lectern: relative to the uploaded folder, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
}
