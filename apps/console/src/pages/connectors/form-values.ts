import { isRecord } from '#api/is-record.ts';
import type { FieldSpec } from '#pages/connectors/connector-fields.ts';
import { linesOf } from '#ui/lines-of.ts';

/** The entered values by field name. */
export type Values = Readonly<Record<string, string>>;

function parseValue(kind: FieldSpec['kind'], text: string): unknown {
  if (kind === 'list') return linesOf(text);
  return kind === 'number' || kind === 'interval' ? Number(text) : text;
}

/** Converts entered values to API settings. Omits empty fields; `a.b` becomes a property of `a`. */
export function toSettings(fields: readonly FieldSpec[], values: Values): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    const text = values[name] ?? '';
    if (text.trim() === '') continue;
    const [outer = name, inner] = name.split('.');
    if (inner === undefined) settings[name] = parseValue(kind, text);
    else settings[outer] = { ...(isRecord(settings[outer]) ? settings[outer] : {}), [inner]: parseValue(kind, text) };
  }
  return settings;
}

/** Converts API settings to form values. */
export function toValues(fields: readonly FieldSpec[], settings: Readonly<Record<string, unknown>>): Values {
  const read = (name: string): unknown => {
    const [outer = name, inner] = name.split('.');
    const value = settings[outer];
    return inner === undefined ? value : isRecord(value) ? value[inner] : undefined;
  };
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = read(name);
      return [
        name,
        Array.isArray(value) ? value.join('\n') : value === undefined || value === null ? '' : String(value),
      ];
    }),
  );
}

/** Like `toSettings`, but sets cleared fields to null, which removes them. */
export function toChange(fields: readonly FieldSpec[], values: Values): Record<string, unknown> {
  const settings = toSettings(fields, values);
  const topLevelNames = new Set(fields.map(({ name }) => name.split('.')[0] ?? name));
  return { ...Object.fromEntries([...topLevelNames].map((name) => [name, null])), ...settings };
}
