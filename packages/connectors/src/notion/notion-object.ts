import { z } from 'zod';
import { entriesOf, type UnreadableEntry } from '#http/entries';

export const RichText = z.array(z.object({ plain_text: z.string().default(''), href: z.string().nullish() }));
export type RichText = z.infer<typeof RichText>;

export const plainText = (text: RichText | undefined): string => (text ?? []).map((part) => part.plain_text).join('');

const Parent = z.object({
  page_id: z.string().optional(),
  database_id: z.string().optional(),
  data_source_id: z.string().optional(),
});

/** A property of a page. Its value is in the field named after its type. */
export const Property = z.looseObject({ type: z.string() });
export type Property = z.infer<typeof Property>;

/** An entry of a list: a page, a data source, or (in older lists) a database. */
export const Listed = z.object({
  object: z.string(),
  id: z.string(),
  url: z.string().nullish(),
  in_trash: z.boolean().optional(),
  archived: z.boolean().optional(),
  created_time: z.string().optional(),
  last_edited_time: z.string().optional(),
  last_edited_by: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  parent: Parent.nullish(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
export type Listed = z.infer<typeof Listed>;

export const isTrashed = (page: Listed): boolean => page.in_trash === true || page.archived === true;

/** Returns the readable properties of a page, by name. */
export function propertiesOf(page: Listed): readonly (readonly [name: string, property: Property])[] {
  return Object.entries(page.properties ?? {}).flatMap(([name, value]) => {
    const property = Property.safeParse(value).data;
    return property === undefined ? [] : [[name, property] as const];
  });
}

/**
 * The content of a block, in the field named after its type. For unknown types, the text is read.
 */
export const BlockContent = z.object({
  rich_text: RichText.optional(),
  caption: RichText.optional(),
  cells: z.array(RichText).optional(),
  title: z.string().optional(),
  name: z.string().optional(),
  checked: z.boolean().optional(),
  language: z.string().nullish(),
  expression: z.string().optional(),
  url: z.string().nullish(),
  external: z.object({ url: z.string() }).optional(),
});
export type BlockContent = z.infer<typeof BlockContent>;

export const Block = z.looseObject({ id: z.string(), type: z.string(), has_children: z.boolean().default(false) });
export type Block = z.infer<typeof Block>;

export const contentOf = (block: Block): BlockContent => BlockContent.safeParse(block[block.type]).data ?? {};

export const listOf = <T>(entry: z.ZodType<T>) =>
  z.object({ results: entriesOf(entry), next_cursor: z.string().nullish(), has_more: z.boolean().optional() });

export interface Slice<T> {
  readonly results: readonly T[];
  readonly unreadable: readonly UnreadableEntry[];
  readonly next: string | undefined;
}
