import type { z } from 'zod';
import type { Config } from '#config';
import type { BodySource } from '#http/body/request-body';

/** A request's body, as data for the API reference and as the means to read it. */
export interface Body<T> {
  /** Null where the operation takes no body. */
  readonly mediaType: 'application/json' | 'multipart/form-data' | null;
  readonly required: boolean;
  readonly schema: z.ZodType | null;
  /** The setting that limits its size in bytes; for multipart, each file's. */
  readonly limit: 'MAX_SMALL_JSON_BYTES' | 'MAX_JSON_BYTES' | 'MAX_DOCUMENT_BYTES' | 'MAX_FILE_BYTES' | null;
  readonly read: (source: BodySource, config: Config) => Promise<T>;
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
