import { USER_AGENT } from '#web/robots';

/** Directives for one page. https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag */
export interface Directives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

interface Source {
  readonly text: string;
  /** True for the header, in which a crawler's name can precede its directives. */
  readonly named: boolean;
}

/**
 * Combines directives; the most restrictive ones apply. In the header, `name: noindex` is for one
 * crawler and also applies to what follows it.
 */
export function directivesOf(sources: readonly Source[]): Directives {
  const words = new Set<string>();
  for (const { text, named } of sources) {
    let isForUs = true;
    for (const part of text.slice(0, 4_000).toLowerCase().split(',')) {
      const colon = part.indexOf(':');
      const before = part.slice(0, Math.max(colon, 0)).trim();
      const isValue = colon < 0 || !named || /^(unavailable_after|max-[a-z-]+)$/.test(before);
      if (!isValue) isForUs = before === USER_AGENT.toLowerCase();
      const word = (isValue ? part : part.slice(colon + 1)).trim();
      if (isForUs) words.add(word);
    }
  }
  const none = words.has('none');
  return { noindex: none || words.has('noindex'), nofollow: none || words.has('nofollow') };
}
