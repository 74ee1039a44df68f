import { fields } from '@lectern/api-spec';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { checkJson } from '#http/body/check-json';
import { validate } from '#http/validate';

const MAX_PATH = 1_024;

const metadataField = z.object({ metadata: fields.documentMetadata });

/** A piece of an upload, in the order of the request. The bytes of a file follow its head. */
export type UploadPart =
  | { readonly kind: 'file'; readonly path: string; readonly mimeType: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'metadata'; readonly metadata: Readonly<Record<string, unknown>> };

/** Checks the head of a file. Throws `invalid_request`. */
export function filePart(field: string | undefined, path: string | undefined, mimeType: string): UploadPart {
  if (field !== 'files') throw invalidRequest([{ path: field ?? 'body', message: 'is not a known field; send files' }]);
  if (path === undefined || path === '')
    throw invalidRequest([{ path: 'files', message: 'must each have a file name' }]);
  if (path.length > MAX_PATH) {
    throw invalidRequest([{ path: 'files', message: `must have file names of at most ${MAX_PATH} characters` }]);
  }
  if (path.includes('\0') || !path.isWellFormed()) {
    throw invalidRequest([{ path: 'files', message: 'must have file names in valid Unicode' }]);
  }
  return { kind: 'file', path, mimeType };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest([{ path: 'metadata', message: 'must be valid JSON' }]);
  }
}

/** Checks the `metadata` field. Throws `invalid_request`. */
export function metadataPart(field: string | undefined, text: string, truncated: boolean): UploadPart {
  if (field === 'files') throw invalidRequest([{ path: 'files', message: 'must be files, each with a file name' }]);
  if (field !== 'metadata') throw invalidRequest([{ path: field ?? 'body', message: 'is not a known field' }]);
  if (truncated) throw invalidRequest([{ path: 'metadata', message: 'is too long' }]);
  const value = parse(text);
  checkJson(value, ['metadata']);
  return { kind: 'metadata', metadata: validate(metadataField, { metadata: value }, 'body').metadata };
}
