import { isRecord } from '#api/is-record.ts';
import type { FieldSpec } from '#pages/connectors/connector-fields.ts';
import { linesOf } from '#ui/lines-of.ts';

/** What was typed, by the field's name. */
export type Values = Readonly<Record<string, string>>;

function typedValue(kind: FieldSpec['kind'], text: string): unknown {
  if (kind === 'list') return linesOf(text);
  return kind === 'number' ? Number(text) : text;
}

/** What was typed as the API takes it: empty fields are left out, `a.b` is a member of `a`. */
export function toSettings(fields: readonly FieldSpec[], values: Values): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    const text = values[name] ?? '';
    if (text.trim() === '') continue;
    const [outer = name, inner] = name.split('.');
    if (inner === undefined) settings[name] = typedValue(kind, text);
    else settings[outer] = { ...(isRecord(settings[outer]) ? settings[outer] : {}), [inner]: typedValue(kind, text) };
  }
  return settings;
}

/** Settings as they are shown in the form. */
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

/** The part of a change that says it: fields that were emptied are null, which removes them. */
export function toChange(fields: readonly FieldSpec[], values: Values): Record<string, unknown> {
  const settings = toSettings(fields, values);
  const outers = new Set(fields.map(({ name }) => name.split('.')[0] ?? name));
  return { ...Object.fromEntries([...outers].map((name) => [name, null])), ...settings };
}
