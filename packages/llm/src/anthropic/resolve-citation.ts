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
  const citable = citables[citation.search_result_index];
  if (citable) {
    if (words !== '' && citable.passage.text.includes(words)) return { citable, quote: words };
    const range = splitIntoBlocks(citable.passage.text)
      .slice(citation.start_block_index, citation.end_block_index)
      .join('')
      .trim();
    if (range !== '' && (words === '' || withoutSpace(range) === withoutSpace(words))) return { citable, quote: range };
  }
  const other = words === '' ? undefined : citables.find(({ passage }) => passage.text.includes(words));
  return other && { citable: other, quote: words };
}

/** Removes white space, because joined blocks can differ in it. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
