import type { Column } from '#postgresql/relations';

// Types without readable text.
const UNREADABLE = /^(.+\.)?(bytea|tsvector|tsquery|vector|halfvec|sparsevec|geometry|geography|raster)\b/i;
const LONG = 120;

const isSection = (value: string) => value.length > LONG || value.includes('\n');

const shown = (type: string, value: string): string =>
  type === 'boolean' ? (value === 't' || value === 'true' ? 'yes' : 'no') : value;

/**
 * Returns a row as Markdown: its title, short values as a list, and each long value below a
 * heading. Leaves out columns that are null or have no readable text.
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
