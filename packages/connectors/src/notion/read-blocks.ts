import type { ConnectorCall } from '#connector';
import { wholeList } from '#http/entries';
import { blockLines } from '#notion/block-lines';
import type { NotionApi } from '#notion/notion-api';
import type { Block } from '#notion/notion-object';
import { SourceError } from '#source-error';

/** Real pages are never nested this deeply, but a synced block could contain itself. */
const DEEPEST = 40;
const OTHER_DOCUMENTS: ReadonlySet<string> = new Set(['child_page', 'child_database']);

interface Reader {
  readonly api: NotionApi;
  readonly call: ConnectorCall;
  /** The remaining number of characters. */
  budget: number;
}

async function linesOf(reader: Reader, id: string, depth: number): Promise<string[]> {
  const lines: string[] = [];
  let before: string | undefined;
  let cursor: string | undefined;
  do {
    const slice = await reader.api.blocks(reader.call, id, cursor);
    const { next } = slice;
    const results = wholeList({ items: slice.results, unreadable: slice.unreadable }, `the blocks of ${id}`);
    for (const block of results) {
      const rendered = blockLines(block, await linesWithin(reader, block, depth));
      reader.budget -= rendered.reduce((sum, line) => sum + line.length, 0);
      if (reader.budget < 0)
        throw new SourceError('too_large', 'The page has more text than the size limit allows. Split the page.');
      if (isList(before) && !isList(block.type)) lines.push('');
      lines.push(...rendered);
      if (block.type === 'table_row' && before === undefined) lines.push(ruleFor(rendered[0] ?? ''));
      before = block.type;
    }
    cursor = next;
  } while (cursor !== undefined);
  return lines;
}

const isList = (type: string | undefined) => type !== undefined && /_list_item$|^to_do$|^toggle$/.test(type);

/** Returns the separator line below the header row of a Markdown table. */
const ruleFor = (row: string) => `|${' --- |'.repeat(Math.max(row.split(/(?<!\\)\|/).length - 2, 1))}`;

async function linesWithin(reader: Reader, block: Block, depth: number): Promise<readonly string[]> {
  if (!block.has_children || OTHER_DOCUMENTS.has(block.type) || depth >= DEEPEST) return [];
  return linesOf(reader, block.id, depth + 1);
}

/** Converts a page's blocks to Markdown. Throws `too_large` beyond `maxCharacters`. */
export async function readBlocks(
  api: NotionApi,
  call: ConnectorCall,
  pageId: string,
  maxCharacters: number,
): Promise<string> {
  return (await linesOf({ api, call, budget: maxCharacters }, pageId, 0)).join('\n');
}
