import type { Column } from './relations.ts';

// Neither says anything to a reader.
const UNREADABLE = /^(.+\.)?(bytea|tsvector|tsquery|vector|halfvec|sparsevec|geometry|geography|raster)\b/i;
const LONG = 120;

const isSection = (value: string) => value.length > LONG || value.includes('\n');

const shown = (type: string, value: string): string =>
  type === 'boolean' ? (value === 't' || value === 'true' ? 'yes' : 'no') : value;

/**
 * A row as Markdown: its title, its short values as a list, and each long one under a heading of its own. Columns that are null, or
 * hold nothing that can be read, are left out.
 */
export function renderRow(title: string, columns: readonly Column[], values: readonly (string | null)[]): string {
  const filled = columns.flatMap((column, at) => {
    const value = values[at];
    if (value === undefined || value === null || value.trim() === '' || UNREADABLE.test(column.type)) return [];
    return [{ name: column.name, value: shown(column.type, value) }];
  });
  const short = filled.filter(({ value }) => !isSection(value)).map(({ name, value }) => `- **${name}**: ${value}`);
  const long = filled.filter(({ value }) => isSection(value)).map(({ name, value }) => `## ${name}\n\n${value}`);
  return [`# ${title}`, ...(short.length > 0 ? [short.join('\n')] : []), ...long, ''].join('\n\n');
}
