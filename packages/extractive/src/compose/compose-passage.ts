import type { Candidate, ReplyPhrases } from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import { inReadingOrder } from '#reading-order';

/** Quotes units as running text, with one paragraph per document that starts with its title. */
export function composePassage(units: readonly Candidate[], phrases: ReplyPhrases, reply: ReplyWriter): void {
  for (const [at, group] of inReadingOrder(units).entries()) {
    const title = group[0]?.source.title ?? '';
    reply.write(at === 0 ? phrases.accordingTo(title) : `\n\n${phrases.alsoIn(title)}`);
    for (const unit of group) {
      reply.write(' ');
      reply.quote(unit);
    }
  }
}
