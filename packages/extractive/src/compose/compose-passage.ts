import type { Candidate } from '@lectern/grounding';
import type { AnswerContext } from '#answer/answer-context';
import { contradicts } from '#contradicts';
import { inReadingOrder } from '#reading-order';

/**
 * Quotes units as running text, with one paragraph per document that starts with its title. States
 * first if a document contradicts the first one.
 */
export function composePassage(
  units: readonly Candidate[],
  { phrases, missingFrom, reply }: Pick<AnswerContext, 'phrases' | 'missingFrom' | 'reply'>,
): void {
  const [first, ...others] = inReadingOrder(units);
  if (first === undefined) return;
  const isContrary = (group: readonly Candidate[]): boolean =>
    group.some((unit) => missingFrom(unit).length === 0 && first.some((other) => contradicts(unit, other)));
  if (others.some(isContrary)) reply.write(`${phrases.contradiction}\n\n`);
  for (const group of [first, ...others]) {
    const title = group[0]?.source.title ?? '';
    if (group !== first) reply.write('\n\n');
    reply.write(group === first || isContrary(group) ? phrases.accordingTo(title) : phrases.alsoIn(title));
    for (const unit of group) {
      reply.write(' ');
      reply.quote(unit);
    }
  }
}
