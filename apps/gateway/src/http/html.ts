const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is already HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function toHtml(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(toHtml).join('');
  if (value === undefined || value === null || value === false) return '';
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Creates HTML from a template. Values are escaped, unless they are `Html`. Lists are joined;
 * undefined, null and false become empty.
 */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${toHtml(values[index - 1])}${part}`));
}
