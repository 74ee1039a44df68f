import type { SourceRef } from '@lectern/connectors';

/** A file of an upload whose bytes are stored. */
export interface ReceivedFile {
  readonly path: string;
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** `sha256:` and the hex digest. */
  readonly checksum: string;
  readonly mimeType: string;
  /** As its source knows it; absent for a file that Lectern keeps itself. */
  readonly ref?: SourceRef;
}

/** All that an upload brought. */
export interface ReceivedUpload {
  readonly files: readonly ReceivedFile[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Every blob key that was set aside for it, those left over included. */
  readonly blobKeys: readonly string[];
}

/** A part of an upload's stream, in the order of the contract. */
export type UploadPart =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'metadata'; readonly metadata: Readonly<Record<string, unknown>> };
