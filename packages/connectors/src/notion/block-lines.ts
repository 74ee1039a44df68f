import { type Block, contentOf, plainText, type RichText } from '#notion/notion-object';

const HEADINGS: Readonly<Record<string, string>> = {
  heading_1: '#',
  heading_2: '##',
  heading_3: '###',
  heading_4: '####',
};
const LISTS: Readonly<Record<string, string>> = { bulleted_list_item: '-', numbered_list_item: '1.', toggle: '-' };

/** Blocks that only arrange other blocks. */
const FRAMES: ReadonlySet<string> = new Set(['column_list', 'column', 'synced_block', 'template', 'table', 'tab']);

/** Adds an empty line at the end, which ends a list or table. */
const closed = (lines: readonly string[]) => (lines.length === 0 || lines.at(-1) === '' ? lines : [...lines, '']);

const indented = (lines: readonly string[], by: string) => lines.map((line) => (line === '' ? '' : `${by}${line}`));

const markdownText = (text: RichText | undefined): string =>
  (text ?? []).map(({ plain_text, href }) => (href ? `[${plain_text}](${href})` : plain_text)).join('');

const cellText = (cell: RichText): string => plainText(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');

function mediaLines(block: Block): readonly string[] {
  const { caption, name, url, external, title } = contentOf(block);
  const label = plainText(caption) || name || title || '';
  // The URLs of uploaded files change and expire after an hour, so they are left out.
  const address = url ?? external?.url;
  if (address) return [`[${label || address}](${address})`, ''];
  return label === '' ? [] : [label, ''];
}

/** Returns a block as lines of Markdown, including the lines of its children. */
export function blockLines(block: Block, within: readonly string[]): readonly string[] {
  const content = contentOf(block);
  const text = markdownText(content.rich_text);
  const { type } = block;
  const heading = HEADINGS[type];
  if (heading !== undefined) return [`${heading} ${text.replaceAll('\n', ' ')}`, '', ...closed(within)];
  const mark = type === 'to_do' ? (content.checked === true ? '- [x]' : '- [ ]') : LISTS[type];
  if (mark !== undefined) {
    const [first = '', ...rest] = text.split('\n');
    return [`${mark} ${first}`, ...indented([...rest, ...within], '   ')];
  }
  if (FRAMES.has(type)) return closed(within);
  if (type === 'quote' || type === 'callout') return [...indented([...text.split('\n'), ...within], '> '), ''];
  if (type === 'code') {
    const plain = plainText(content.rich_text);
    const fence = plain.includes('```') ? '````' : '```';
    return [`${fence}${(content.language ?? '').replaceAll(' ', '-')}`, ...plain.split('\n'), fence, ''];
  }
  if (type === 'equation') return [`$$${content.expression ?? ''}$$`, ''];
  if (type === 'divider') return ['---', ''];
  if (type === 'table_row') return [`| ${(content.cells ?? []).map(cellText).join(' | ')} |`];
  if (content.rich_text !== undefined) return [...text.split('\n'), '', ...closed(within)];
  return [...mediaLines(block), ...within];
}
