import { type Html, html } from '#reference/html';
import { prose } from '#reference/prose';
import { entriesOf, itemsOf, read, refName } from '#reference/read';

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'format', 'pattern'] as const;

/** Renders the type of a schema in a few words, with links to the schemas that it names. */
export function typeOf(schema: unknown): Html {
  const name = refName(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const alternatives = itemsOf(read(schema, 'anyOf') ?? read(schema, 'oneOf'));
  if (alternatives.length > 0) {
    return html`${alternatives.map((inner, index) => html`${index > 0 && ' or '}${typeOf(inner)}`)}`;
  }
  const constant = read(schema, 'const');
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`;
  const values = itemsOf(read(schema, 'enum'));
  if (values.length > 0) return html`${values.map((value, index) => html`${index > 0 && ' | '}<code>${value}</code>`)}`;
  const type = read(schema, 'type');
  if (type === 'array') return html`list of ${typeOf(read(schema, 'items'))}`;
  return html`${type ?? 'anything'}`;
}

function bounds(schema: unknown): Html {
  const known = BOUNDS.flatMap((name) => {
    const value = read(schema, name);
    return value === undefined ? [] : [html` <small>${name} <code>${value}</code></small>`];
  });
  const fallback = read(schema, 'default');
  return html`${known}${fallback !== undefined && html` <small>default <code>${JSON.stringify(fallback)}</code></small>`}`;
}

/** Renders the name, type, bounds and description of a field or parameter. */
export function field(name: string, schema: unknown, required: boolean, description?: unknown): Html {
  const items = read(schema, 'type') === 'array' ? read(schema, 'items') : schema;
  return html`<dt><code>${name}</code>${required && html` <em>required</em>`}</dt>
<dd>${typeOf(schema)}${bounds(schema)}<p>${description ?? prose(read(schema, 'description'))}</p>${fields(items)}</dd>`;
}

/** Renders the fields of an object schema. Empty for other schemas. */
export function fields(schema: unknown): Html {
  const properties = entriesOf(read(schema, 'properties'));
  if (properties.length === 0) return html``;
  const required = itemsOf(read(schema, 'required'));
  return html`<dl>${properties.map(([name, inner]) => field(name, inner, required.includes(name)))}</dl>`;
}
