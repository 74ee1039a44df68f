import { parse } from 'yaml';
import { z } from 'zod';
import type { ParsedContent } from '#parsed-document';

/** Front matter is a few lines; a longer block between two rules is something else. */
const maxChars = 64 * 1024;
const block = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

const text = z
  .union([z.string(), z.number(), z.date()])
  .transform((value) => (value instanceof Date ? value.toISOString() : String(value)));
const list = z.union([z.array(text), text.transform((value) => value.split(','))]);

const fields = z.object({
  title: text.optional().catch(undefined),
  author: z
    .union([text, z.array(text).transform((names) => names.join(', '))])
    .optional()
    .catch(undefined),
  date: text.optional().catch(undefined),
  updated: text.optional().catch(undefined),
  lang: text.optional().catch(undefined),
  description: text.optional().catch(undefined),
  tags: list.optional().catch(undefined),
});

/** A document's text without its front matter, and the metadata in it. */
export interface FrontMatter extends Pick<ParsedContent, 'title' | 'metadata'> {
  readonly body: string;
}

/**
 * Splits YAML front matter from a Markdown document. Only YAML's core types are read, and aliases
 * are limited; a block that is not a YAML mapping stays in the text.
 */
export const splitFrontMatter = (source: string): FrontMatter => {
  const [whole, yaml] = block.exec(source.slice(0, maxChars)) ?? [];
  if (whole === undefined || yaml === undefined) return { body: source };
  try {
    const found = fields.parse(parse(yaml, { maxAliasCount: 20, schema: 'core', logLevel: 'silent' }));
    const { title, author, lang, description, tags } = found;
    const metadata = {
      author,
      language: lang,
      description,
      keywords: tags,
      createdAt: found.date,
      modifiedAt: found.updated,
    };
    return { body: source.slice(whole.length), title, metadata };
  } catch {
    return { body: source };
  }
};
