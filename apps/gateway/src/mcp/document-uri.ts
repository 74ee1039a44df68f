import { isId } from '@lectern/contracts';

const START = 'lectern://documents/';
const OFFSET = /^\?offset=(\d{1,9})$/;

/** The template of the URIs of documents (RFC 6570). */
export const DOCUMENT_TEMPLATE = `${START}{id}{?offset}`;

/** The URI of a document as a resource. */
export const documentUri = (id: string, offset = 0): string =>
  `${START}${id}${offset === 0 ? '' : `?offset=${offset}`}`;

/** The document that a URI names, and where to begin. */
export function parseDocumentUri(uri: string): { readonly id: string; readonly offset: number } | undefined {
  if (!uri.startsWith(START)) return undefined;
  const [id = '', ...query] = uri.slice(START.length).split(/(?=\?)/);
  const offset = query.length === 0 ? '0' : OFFSET.exec(query.join(''))?.[1];
  return isId('document', id) && offset !== undefined ? { id, offset: Number(offset) } : undefined;
}

/** Returns the id of a document that is given by id or by URI; undefined for other texts. */
export const documentIdIn = (text: string): string | undefined =>
  isId('document', text) ? text : parseDocumentUri(text)?.id;
