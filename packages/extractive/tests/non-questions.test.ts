import { describe, expect, it } from '@jest/globals';
import { type CitationEvent, classifyShape, type SourceDocument, scoreAnswer } from '@lectern/grounding';
import { composeReply } from '#compose-reply';
import { createRandom, nonQuestion } from './non-questions.ts';

const COUNT = 10_000;
const SEED = 20_231;
const TEXT = 'The travel allowance is paid in March. The coffee machine is next to the printer.';
const SOURCES: readonly SourceDocument[] = [
  { id: 'doc_1', title: 'Bonus', passages: [{ text: TEXT, start: 0, end: TEXT.length }] },
];

async function replyTo(message: string, sources: readonly SourceDocument[]) {
  const shape = classifyShape(message);
  const pieces = await composeReply(message, sources, shape.shape);
  const reply = pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
  const citations = pieces.flatMap((piece): CitationEvent[] => (piece.type === 'citation' ? [piece.citation] : []));
  return { citations, ...(await scoreAnswer({ question: message, reply, citations, sources, shape })) };
}

describe('composeReply, for messages that ask nothing', () => {
  it('never has high confidence without a source', async () => {
    const random = createRandom(SEED);
    const wrong: string[] = [];
    for (let at = 0; at < COUNT; at += 1) {
      const message = nonQuestion(random);
      const { label, citations } = await replyTo(message, at % 5 === 0 ? [...SOURCES] : []);
      if (label === 'high' && citations.length === 0) wrong.push(message);
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});
