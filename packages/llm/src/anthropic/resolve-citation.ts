import type { TextCitation } from '@anthropic-ai/sdk/resources/messages';
import type { Citable, Support } from '@lectern/grounding';
import { splitIntoBlocks } from '#anthropic/anthropic-sources';

/**
 * Finds the passage and the quote that a citation of Anthropic refers to. Undefined if no passage
 * contains the cited words.
 */
export function resolveCitation(citation: TextCitation, citables: readonly Citable[]): Support | undefined {
  if (citation.type !== 'search_result_location') return undefined;
  const words = citation.cited_text.trim();
  const named = citables[citation.search_result_index];
  if (named) {
    if (words !== '' && named.passage.text.includes(words)) return { citable: named, quote: words };
    const range = splitIntoBlocks(named.passage.text)
      .slice(citation.start_block_index, citation.end_block_index)
      .join('')
      .trim();
    if (range !== '' && (words === '' || withoutSpace(range) === withoutSpace(words)))
      return { citable: named, quote: range };
  }
  const other = words === '' ? undefined : citables.find(({ passage }) => passage.text.includes(words));
  return other && { citable: other, quote: words };
}

/** Joined blocks can differ in white space. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
