import type { Candidate, ReplyPhrases } from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import { inReadingOrder } from '#reading-order';

/**
 * Quotes units as bullets after `opening`, grouped by document. Several documents get bold titles.
 */
export function composeBullets(units: readonly Candidate[], opening: string, reply: ReplyWriter): void {
  const groups = inReadingOrder(units);
  reply.write(`${opening}\n`);
  for (const group of groups) {
    if (groups.length > 1) reply.write(`\n**${group[0]?.source.title ?? ''}**\n`);
    for (const unit of group) {
      reply.write('\n- ');
      reply.quote(unit);
    }
    if (groups.length > 1) reply.write('\n');
  }
}

/**
 * Returns the opening for bullets: the document's title if there is only one, otherwise a general
 * phrase.
 */
export function bulletsOpening(units: readonly Candidate[], phrases: ReplyPhrases): string {
  const titles = new Set(units.map(({ source }) => source.title));
  const [only] = titles;
  return titles.size === 1 && only ? phrases.accordingTo(only) : phrases.overview;
}
