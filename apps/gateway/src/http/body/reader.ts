import type {
  BatchBody,
  BodySpec,
  EmptyBody,
  ItemsBody,
  JsonBody,
  JsonLimit,
  MultipartBody,
  RecordBody,
} from '@lectern/api-spec';
import type { z } from 'zod';
import type { Config } from '#config';
import { NotJson } from '#http/body/not-json';
import { type BatchItem, readBatch } from '#http/body/read-batch';
import { readJson } from '#http/body/read-json';
import { readMultipart, type Upload } from '#http/body/read-multipart';
import { type CurrentRecord, readRecord } from '#http/body/read-record';
import type { BodySource } from '#http/body/request-body';
import { uploadFingerprint } from '#http/body/upload-fingerprint';
import { validate } from '#http/validate';

/** What a handler receives for a kind of body. */
export type BodyOf<B extends BodySpec> = B extends EmptyBody
  ? undefined
  : B extends MultipartBody
    ? Upload
    : B extends BatchBody<infer T>
      ? readonly BatchItem<z.output<T>>[]
      : B extends ItemsBody<infer T>
        ? readonly z.output<T>[]
        : B extends RecordBody<infer T>
          ? z.output<T>
          : B extends JsonBody<infer T>
            ? z.output<T>
            : never;

/** Reads and validates the body of a request. */
export interface BodyReader<T> {
  /** `current` reads the record that the body changes, if the operation changes one. */
  readonly read: (source: BodySource, config: Config, current?: () => Promise<CurrentRecord>) => Promise<T>;
  /**
   * SHA-256 of the body, for bodies whose parsed form cannot be compared. Reads the body to its end.
   * Throws what `read` throws.
   */
  readonly fingerprint?: (source: BodySource, config: Config) => Promise<Buffer>;
}

/** A kind of body and how to read it. */
export type Body<T> = BodySpec & BodyReader<T>;

async function requireJson(source: BodySource, config: Config, limit: JsonLimit): Promise<unknown> {
  const value = await readJson(source, config, limit);
  if (value === undefined) throw new NotJson('is required: send a JSON object');
  return value;
}

/** Creates the reader of a body. */
export function readerOf<B extends BodySpec>(spec: B): BodyReader<BodyOf<B>>;
export function readerOf(spec: BodySpec): BodyReader<unknown> {
  switch (spec.kind) {
    case 'none':
      return { read: async () => undefined };
    case 'json':
      return {
        read: async (source, config) => {
          if (spec.required) return validate(spec.schema, await requireJson(source, config, spec.limit), 'body');
          const value = await readJson(source, config, spec.limit);
          return validate(spec.schema, value === undefined ? {} : value, 'body');
        },
      };
    case 'items':
      return {
        read: async (source, config) => {
          const value = await requireJson(source, config, spec.limit);
          return Array.isArray(value) ? validate(spec.list, value, 'body') : [validate(spec.item, value, 'body')];
        },
      };
    case 'batch':
      return { read: async (source, config) => readBatch(spec, source, config) };
    case 'record':
      return {
        read: async (source, config, current) =>
          readRecord(spec, await requireJson(source, config, spec.limit), current),
      };
    case 'multipart':
      return { read: async (source, config) => readMultipart(source, config), fingerprint: uploadFingerprint };
  }
}
