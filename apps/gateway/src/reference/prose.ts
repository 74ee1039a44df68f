import { type Html, html } from '#reference/html';

/** Renders text; text between backticks becomes code. */
export function prose(text: unknown): Html {
  if (typeof text !== 'string') return html``;
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
