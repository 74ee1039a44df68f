import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';

const MAX_PARTS = 1_000;

/** The content of a message: text, or parts of which only text is supported. */
export const contentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string() })).max(MAX_PARTS)], {
  error: 'must be text or a list of parts',
});

export type Content = z.output<typeof contentSchema>;

const TEXTS: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text']);
const KINDS: Readonly<Record<string, string>> = {
  image_url: 'Images',
  input_image: 'Images',
  image: 'Images',
  input_audio: 'Audio',
  file: 'Files',
  input_file: 'Files',
};

/** Returns the text of a content. Throws `invalid_request` for images and other parts. */
export function textOf(content: Content | null | undefined, path: string): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  const texts = content.map((part, at) => {
    const text: unknown = part.type === 'refusal' ? part.refusal : part.text;
    if ((TEXTS.has(part.type) || part.type === 'refusal') && typeof text === 'string') return text;
    const kind = KINDS[part.type];
    const message =
      kind === undefined
        ? 'must be a part of the type text'
        : `is not text. ${kind} are not supported: send text, or upload the file to a collection`;
    throw invalidRequest([{ path: `${path}[${at}]`, message }]);
  });
  return texts.join('\n\n');
}
