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

function written(text: string, ledger = createCitationLedger()) {
  const reply = createReplyText(ledger, (number) => GIVEN[number - 1]);
  const events = [...reply.say(text), ...reply.end()];
  const citations = events.filter((event): event is CitationEvent => event.type === 'citation');
  const spans = citations.map(({ textStart, textEnd }) => reply.text().slice(textStart, textEnd));
  return { text: reply.text(), citations, spans };
}

describe('the text of a reply', () => {
  it('numbers documents, not passages, and says a number once where markers stand side by side', () => {
    const { text, citations } = written('Dogs no [2]. Cats yes [1][3]. Bye [3], [2].');
    expect(text).toBe('Dogs no [1]. Cats yes [2]. Bye [2], [1].');
    expect(citations.map(({ marker }) => marker)).toEqual([1, 2, 2, 2, 1]);
  });

  it('quotes the sentence that shares most words with what is claimed', () => {
    const { citations, spans } = written('The rent? 900 euros. Your cats are welcome [1].');
    expect(citations[0]?.quote).toBe('Cats are welcome.');
    expect(spans).toEqual(['Your cats are welcome']);
  });

  it('takes a marker behind the full stop for the sentence before it', () => {
    expect(written('First. The rent is 900 euros. [1] Next.').spans).toEqual(['The rent is 900 euros.']);
  });

  it('keeps lines apart, and drops what points nowhere', () => {
    expect(written('- Cats [1]\n[1] again\n- Fish [8]\n').text).toBe('- Cats [1]\n[1] again\n- Fish\n');
  });

  it('goes on with the numbers of the ledger it is given', () => {
    const ledger = createCitationLedger();
    ledger.markerOf('z');
    expect(written('Dogs no [2].', ledger).text).toBe('Dogs no [2].');
  });

  it('puts a surrogate pair together that two deltas share, and leaves out what cannot be stored', () => {
    const reply = createReplyText(createCitationLedger(), (number) => GIVEN[number - 1]);
    const deltas = ['A \ud83d', '\u0000', '\ude00 cat\u0000s. Dogs \udc00 no [2', '].\ud83d', '!\ud83d'];
    const events = [...deltas.flatMap((delta) => reply.say(delta)), ...reply.end()];
    expect(reply.text()).toBe('A 😀 cats. Dogs \ufffd no [1].\ufffd!\ufffd');
    expect(events.every((event) => event.type !== 'text' || event.delta.isWellFormed())).toBe(true);
    const cited = events.find((event) => event.type === 'citation');
    expect(reply.text().slice(cited?.textStart, cited?.textEnd)).toBe('Dogs \ufffd no');
  });
});
