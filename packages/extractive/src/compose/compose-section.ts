import type { ReplyPhrases } from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import type { FoundSection } from '#select-section';

/** Quotes a section with its formatting, below its document's title and its heading. */
export function composeSection({ lead, text, fence }: FoundSection, phrases: ReplyPhrases, reply: ReplyWriter): void {
  const { source, unit } = lead;
  const heading = unit.headings.at(-1);
  const place = heading === undefined || heading === source.title ? source.title : `${source.title} › ${heading}`;
  reply.write(`${phrases.accordingTo(place)}\n\n`);
  reply.quoteText(lead, text, fence);
}
