import { htmlText } from '#html/html-text';
import type { ObjectShape } from '#salesforce/object-shape';
import { textAt } from '#salesforce/record-value';
import type { SalesforceRecord } from '#salesforce/salesforce-api';
import { titleOf } from '#salesforce/to-ref';

/** Longer texts, and those with several lines, get a heading. */
const LONG = 200;

/**
 * Converts a record to Markdown: its type, short fields as a list, and long texts below. Leaves out
 * empty fields.
 */
export function recordMarkdown(shape: ObjectShape, record: SalesforceRecord): string {
  const short: string[] = [`- Type: ${shape.label}`];
  const long: string[] = [];
  for (const { path, label, isHtml } of shape.shown) {
    const raw = textAt(record, path);
    const text = isHtml ? htmlText(raw) : raw;
    if (text === '' || shape.title.includes(path)) continue;
    if (text.length > LONG || text.includes('\n')) long.push(`## ${label}\n\n${text}`);
    else short.push(`- ${label}: ${text}`);
  }
  return `${[`# ${titleOf(shape, record)}`, short.join('\n'), ...long].join('\n\n')}\n`;
}
