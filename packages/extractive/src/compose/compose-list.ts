import type { ReplyPhrases } from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import type { FoundBlock } from '#select-block';

/** Quotes a list: its introduction, then its items with their nesting and numbering. */
export function composeList({ intro, items, ordered }: FoundBlock, phrases: ReplyPhrases, reply: ReplyWriter): void {
  reply.write(phrases.accordingTo(items[0]?.source.title ?? ''));
  if (intro) {
    reply.write(' ');
    reply.quote(intro);
  }
  reply.write('\n');
  let number = 0;
  for (const item of items) {
    if (item.unit.depth === 0) number += 1;
    const bullet = ordered && item.unit.depth === 0 ? `${number}.` : '-';
    reply.write(`\n${'  '.repeat(item.unit.depth)}${bullet} `);
    reply.quote(item);
  }
}
