import type { SearchResultBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { Citable } from '@lectern/grounding';
import { passageUnits } from '@lectern/text';

/**
 * The minimum length of a block. A block is the smallest unit that can be cited, and each costs a
 * few tokens.
 */
const MIN_BLOCK = 160;

/**
 * Converts a passage to a `search_result`, split into blocks between sentences so that citations
 * are narrower than the passage.
 */
export function toSearchResult(
  { source, passage, title, heading }: Citable,
  citations: { readonly enabled: boolean },
): SearchResultBlockParam {
  return {
    type: 'search_result',
    source: source.url || source.id,
    title: heading === '' ? title : `${title} > ${heading}`,
    content: splitIntoBlocks(passage.text).map((text): TextBlockParam => ({ type: 'text', text })),
    citations: { enabled: citations.enabled },
  };
}

/** Splits a passage's text into blocks, which joined are the text. */
export function splitIntoBlocks(text: string): string[] {
  const blocks: string[] = [];
  let from = 0;
  const starts = passageUnits(text).map(({ start }) => start);
  for (const start of starts.toSorted((a, b) => a - b)) {
    if (start - from < MIN_BLOCK || text.length - start < MIN_BLOCK / 2) continue;
    blocks.push(text.slice(from, start));
    from = start;
  }
  return [...blocks, text.slice(from)];
}
