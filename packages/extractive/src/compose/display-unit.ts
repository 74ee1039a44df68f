import { type Candidate, withoutMarkers } from '@lectern/grounding';
import { codeSpans, openFence, sliceSpan } from '@lectern/text';

/**
 * Returns a part of a passage as it is shown: code unchanged, other text without bracketed numbers
 * that would look like markers. Code that is cut at the start or the end gets the fence that it
 * lacks.
 */
export function displayText(text: string, fence?: string): string {
  const opened = fence === undefined ? text : `${fence}\n${text}`;
  const open = openFence(opened);
  return withoutMarkers(open === undefined ? opened : `${opened}\n${open}`);
}

/**
 * Returns the text of a unit in a reply: on one line, without bracketed numbers that would look
 * like markers, with inline code unchanged. A cell is shown with its row and column, a row with its
 * column names; code keeps its lines.
 */
export function displayUnit({ unit }: Candidate): string {
  if (unit.kind === 'code') return displayCode(unit.text);
  const words = onOneLine(withoutMarkers(unit.text)).trim();
  if (unit.kind === 'table_cell' && unit.lead !== '') return `${unit.lead}: ${words}`;
  if (unit.kind === 'table_row') return displayRow(words, unit.columns);
  return words;
}

function onOneLine(text: string): string {
  let line = '';
  let from = 0;
  for (const span of codeSpans(text)) {
    const code = sliceSpan(text, span);
    if (code.includes('\n')) continue;
    line += text.slice(from, span.start).replace(/\s+/g, ' ') + code;
    from = span.end;
  }
  return line + text.slice(from).replace(/\s+/g, ' ');
}

/** Returns code between fences that are longer than those in it. */
function displayCode(code: string): string {
  const inside = code.match(/^[ \t]*`{3,}/gm) ?? [];
  const fence = '`'.repeat(Math.max(2, ...inside.map((line) => line.trim().length)) + 1);
  return `\n${fence}\n${code}\n${fence}\n`;
}

function displayRow(row: string, columns: readonly string[]): string {
  const cells = row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  const named = cells.map((cell, at) => (columns[at] ? `${columns[at]}: ${cell}` : cell));
  return named.filter((_, at) => cells[at] !== '').join('; ');
}
