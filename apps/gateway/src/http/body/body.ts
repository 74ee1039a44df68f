import type { z } from 'zod';
import type { Config } from '#config';
import type { BodySource } from '#http/body/request-body';
import type { IfMatch } from '#http/if-match';

/** The current state of the record that a body changes. */
export interface CurrentRecord {
  /** The record as responses show it. */
  readonly record: object;
  /** The revision of the fields that an update can change. */
  readonly revision: string;
  /** The request's If-Match condition. */
  readonly ifMatch?: IfMatch | undefined;
}

/** A request's body, as data for the API reference and as the means to read it. */
export interface Body<T> {
  /** Null where the operation takes no body. */
  readonly mediaType: 'application/json' | 'multipart/form-data' | null;
  readonly required: boolean;
  readonly schema: z.ZodType | null;
  /** The schema for the API reference, if it differs from `schema`: everything that is accepted. */
  readonly described?: z.ZodType;
  /** The setting that limits its size in bytes; for multipart, each file's. */
  readonly limit: 'MAX_SMALL_JSON_BYTES' | 'MAX_JSON_BYTES' | 'MAX_DOCUMENT_BYTES' | 'MAX_FILE_BYTES' | null;
  /** `current` reads the record that the body changes, if the operation changes one. */
  readonly read: (source: BodySource, config: Config, current?: () => Promise<CurrentRecord>) => Promise<T>;
  /**
   * Only where what was read cannot be compared as it is: SHA-256 over what the body holds. Reads it to its end. Throws as `read` and its
   * parts do.
   */
  readonly fingerprint?: (source: BodySource, config: Config) => Promise<Buffer>;
}

/** For an operation that takes no body; one that is sent all the same is not looked at. */
export const noBody: Body<undefined> = {
  mediaType: null,
  required: false,
  schema: null,
  limit: null,
  read: async () => undefined,
};
