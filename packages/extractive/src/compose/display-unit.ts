import type { Candidate } from '@lectern/grounding';

/** A bracketed number that would look like a marker, and the blank before it. */
const MARKER = / ?\[\d{1,3}\](?![(:])/g;

/** Returns a part of a passage as it is shown: code unchanged, other text without such numbers. */
export function displayText(text: string): string {
  const parts = text.split(/(^ *(?:```|~~~)[\s\S]*?(?:^ *(?:```|~~~) *$|$(?![\s\S])))/m);
  return parts.map((part, at) => (at % 2 === 0 ? part.replace(MARKER, '') : part)).join('');
}

/**
 * Returns the text of a unit in a reply: on one line, without bracketed numbers that would look
 * like markers. A cell is shown with its row and column, a row with its column names; code keeps
 * its lines.
 */
export function displayUnit({ unit }: Candidate): string {
  if (unit.kind === 'code') return `\n\`\`\`\n${unit.text}\n\`\`\`\n`;
  const words = unit.text.replace(/\s+/g, ' ').replace(MARKER, '').trim();
  if (unit.kind === 'table_cell' && unit.lead !== '') return `${unit.lead}: ${words}`;
  if (unit.kind === 'table_row') return displayRow(words, unit.columns);
  return words;
}

function displayRow(row: string, columns: readonly string[]): string {
  const cells = row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  const named = cells.map((cell, at) => (columns[at] ? `${columns[at]}: ${cell}` : cell));
  return named.filter((_, at) => cells[at] !== '').join('; ');
}
