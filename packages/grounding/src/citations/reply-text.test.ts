import { describe, expect, it } from '@jest/globals';
import type { Citable } from '#citations/citable';
import { createCitationLedger } from '#citations/citation-ledger';
import type { CitationEvent } from '#citations/reply-event';
import { createReplyText } from '#citations/reply-text';

const citable = (id: string, text: string): Citable => {
  const passage = { text, start: 0, end: text.length };
  return { source: { id, title: id, passages: [passage] }, passage, passageIndex: 0, title: id, heading: '' };
};
const GIVEN = [
  citable('a', 'Rent is 900 euros. Cats are welcome.'),
  citable('b', 'Dogs are not.'),
  citable('a', 'Notice: three months.'),
];

function replyOf(text: string, ledger = createCitationLedger()) {
  const reply = createReplyText(ledger, (number) => GIVEN[number - 1]);
  const events = [...reply.write(text), ...reply.end()];
  const citations = events.filter((event): event is CitationEvent => event.type === 'citation');
  const spans = citations.map(({ textStart, textEnd }) => reply.text().slice(textStart, textEnd));
  return { text: reply.text(), citations, spans };
}

describe('the text of a reply', () => {
  it('numbers documents, not passages, and writes a number once among adjacent markers', () => {
    const { text, citations } = replyOf('Dogs no [2]. Cats yes [1][3]. Bye [3], [2].');
    expect(text).toBe('Dogs no [1]. Cats yes [2]. Bye [2], [1].');
    expect(citations.map(({ marker }) => marker)).toEqual([1, 2, 2, 2, 1]);
  });

  it('quotes the sentence that shares the most words with the claim', () => {
    const { citations, spans } = replyOf('The rent? 900 euros. Your cats are welcome [1].');
    expect(citations[0]?.quote).toBe('Cats are welcome.');
    expect(spans).toEqual(['Your cats are welcome']);
  });

  it('assigns a marker after a full stop to the sentence before it', () => {
    expect(replyOf('First. The rent is 900 euros. [1] Next.').spans).toEqual(['The rent is 900 euros.']);
  });

  it('keeps lines separate, and removes markers without a passage', () => {
    expect(replyOf('- Cats [1]\n[1] again\n- Fish [8]\n').text).toBe('- Cats [1]\n[1] again\n- Fish\n');
  });

  it('continues the numbers of a ledger', () => {
    const ledger = createCitationLedger();
    ledger.markerOf('z');
    expect(replyOf('Dogs no [2].', ledger).text).toBe('Dogs no [2].');
  });

  it('joins a surrogate pair that is split between deltas, and removes what cannot be stored', () => {
    const reply = createReplyText(createCitationLedger(), (number) => GIVEN[number - 1]);
    const deltas = ['A \ud83d', '\u0000', '\ude00 cat\u0000s. Dogs \udc00 no [2', '].\ud83d', '!\ud83d'];
    const events = [...deltas.flatMap((delta) => reply.write(delta)), ...reply.end()];
    expect(reply.text()).toBe('A 😀 cats. Dogs \ufffd no [1].\ufffd!\ufffd');
    expect(events.every((event) => event.type !== 'text' || event.delta.isWellFormed())).toBe(true);
    const cited = events.find((event) => event.type === 'citation');
    expect(reply.text().slice(cited?.textStart, cited?.textEnd)).toBe('Dogs \ufffd no');
  });
});
