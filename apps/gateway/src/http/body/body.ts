import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Config } from '#config';

/** A request's body, as data for the API reference and as the means to read it. */
export interface Body<T> {
  /** Null where the operation takes no body. */
  readonly mediaType: 'application/json' | 'multipart/form-data' | null;
  readonly required: boolean;
  readonly schema: z.ZodType | null;
  /** The setting that limits its size in bytes; for multipart, each file's. */
  readonly limit: 'MAX_JSON_BYTES' | 'MAX_DOCUMENT_BYTES' | 'MAX_FILE_BYTES' | null;
  readonly read: (request: IncomingMessage, config: Config) => Promise<T>;
}

/** For an operation that takes no body; one that is sent all the same is not looked at. */
export const noBody: Body<undefined> = {
  mediaType: null,
  required: false,
  schema: null,
  limit: null,
  read: async () => undefined,
};
