import { isRecord } from '#api/is-record.ts';

/** Adds Markdown to the end of the description of an OpenAPI document. Its headings appear in the menu. */
export function addToIntroduction(document: object, markdown: string): object {
  const info: unknown = Reflect.get(document, 'info');
  if (!isRecord(info)) return document;
  const description = typeof info.description === 'string' ? `${info.description}\n\n` : '';
  return { ...document, info: { ...info, description: description + markdown } };
}
