import type { TextCitation } from '@anthropic-ai/sdk/resources/messages';
import type { Citable, Support } from '@lectern/grounding';
import { cut } from '#anthropic/anthropic-sources';

/**
 * The passage that a citation of Anthropic's means, and the words of it. Undefined where those words do not stand in what the model was
 * given: such a citation is worth nothing.
 */
export function resolveCitation(citation: TextCitation, citables: readonly Citable[]): Support | undefined {
  if (citation.type !== 'search_result_location') return undefined;
  const words = citation.cited_text.trim();
  const named = citables[citation.search_result_index];
  if (named) {
    if (words !== '' && named.passage.text.includes(words)) return { citable: named, quote: words };
    const range = cut(named.passage.text).slice(citation.start_block_index, citation.end_block_index).join('').trim();
    if (range !== '' && (words === '' || plain(range) === plain(words))) return { citable: named, quote: range };
  }
  const other = words === '' ? undefined : citables.find(({ passage }) => passage.text.includes(words));
  return other && { citable: other, quote: words };
}

/** Joins of blocks differ in their blanks. */
function plain(text: string): string {
  return text.replace(/\s+/g, '');
}
