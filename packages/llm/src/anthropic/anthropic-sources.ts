import type { SearchResultBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { Citable } from '@lectern/grounding';
import { passageUnits } from '@lectern/text';

/** UTF-16 units that a block has at least: a text block is the least that can be cited, and each costs a few tokens. */
const MIN_BLOCK = 160;

/**
 * A passage as a `search_result`: its text cut into blocks between sentences, so that citations can be narrower than the passage. The blocks
 * joined are the passage's text, untouched.
 */
export function toSearchResult({ source, passage, title, heading }: Citable): SearchResultBlockParam {
  return {
    type: 'search_result',
    source: source.url || source.id,
    title: heading === '' ? title : `${title} > ${heading}`,
    content: cut(passage.text).map((text): TextBlockParam => ({ type: 'text', text })),
    citations: { enabled: true },
  };
}

/** The blocks of a passage's text; their slices in order. */
export function cut(text: string): string[] {
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
