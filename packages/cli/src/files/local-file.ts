/** A file to be uploaded. */
export interface LocalFile {
  /** Where it is. */
  readonly file: string;
  /** What it is called in Lectern: its path below the folder that was named, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
}
