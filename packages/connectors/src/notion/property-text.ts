import { z } from 'zod';
import { type Listed, type Property, plainText, propertiesOf, RichText } from '#notion/notion-object';

const Named = z.object({ name: z.string().nullish() });
const DateRange = z.object({ start: z.string().nullish(), end: z.string().nullish() });
const Typed = z.looseObject({ type: z.string() });

const names = (value: unknown): string =>
  (z.array(Named).safeParse(value).data ?? []).flatMap(({ name }) => name ?? []).join(', ');

function dateText(value: unknown): string {
  const { start, end } = DateRange.safeParse(value).data ?? {};
  return [start, end].filter((part) => typeof part === 'string').join(' – ');
}

function scalarText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function rollupText(value: unknown): string {
  const rollup = Typed.safeParse(value).data;
  if (rollup?.type !== 'array') return rollup === undefined ? '' : propertyText(rollup);
  const parts = z.array(Typed).safeParse(rollup.array).data ?? [];
  return parts
    .map(propertyText)
    .filter((text) => text !== '')
    .join(', ');
}

/**
 * Converts a property to text; an empty string for empty properties and for types without text,
 * like relations.
 */
function propertyText(property: Property): string {
  const value = property[property.type];
  switch (property.type) {
    case 'rich_text':
    case 'title':
      return plainText(RichText.safeParse(value).data);
    case 'select':
    case 'status':
      return Named.safeParse(value).data?.name ?? '';
    case 'multi_select':
    case 'people':
    case 'files':
      return names(value);
    case 'date':
      return dateText(value);
    case 'formula': {
      const result = Typed.safeParse(value).data;
      return result === undefined ? '' : propertyText(result);
    }
    case 'rollup':
      return rollupText(value);
    case 'unique_id': {
      const { prefix, number } = z.looseObject({}).safeParse(value).data ?? {};
      return [prefix, number]
        .map(scalarText)
        .filter((part) => part !== '')
        .join('-');
    }
    default:
      return scalarText(value);
  }
}

/** Returns the properties of a row as a list, without its title. */
export function propertyLines(page: Listed): readonly string[] {
  return propertiesOf(page).flatMap(([name, property]) => {
    const text = property.type === 'title' ? '' : propertyText(property).trim();
    return text === '' ? [] : [`- ${name}: ${text.replaceAll('\n', ' ')}`];
  });
}
