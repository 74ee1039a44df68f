import { describe, expect, it } from '@jest/globals';
import { createExtractiveModel } from '@lectern/extractive';
import { classifyShape, type RatedReply, replyForm, type SourceDocument, scoreAnswer } from '@lectern/grounding';
import { collectReply } from '@lectern/llm';
import type { CorpusDocument } from '#corpus/corpus';
import { alterDocument } from '#eval-chat/alter-document';
import { writeAlteredReport } from '#eval-chat/report';
import { type AlteredQuestion, summarizeAltered } from '#eval-chat/summarize-altered';

const document = (id: string, title: string, text: string): CorpusDocument => ({ id, title, text });

const CORPUS = [
  document('office', 'Offices', 'The office in Lyon was opened in 2019 by Ana Silva. It has room for 140 people.'),
  document('regatta', 'Regatta', 'The regatta of Bergen was won by Jonas Dahl in 2016. He was trained by Mia Berg.'),
  document(
    'bridge',
    'Bridges',
    'The bridge at Porto was designed in 1886 by Rui Costa. Its 172 meters are lit at night.',
  ),
  document(
    'choir',
    'Music',
    'The choir of Graz was founded in 1974 by Eva Huber. It was directed by Karl Moser for 12 years.',
  ),
] as const;

const QUESTIONS = [
  ['office', 'Who opened the office in Lyon in 2019?', 'Ana Silva'],
  ['regatta', 'Who won the regatta of Bergen in 2016?', 'Jonas Dahl'],
  ['bridge', 'Who designed the bridge at Porto in 1886?', 'Rui Costa'],
  ['choir', 'Who directed the choir that Eva Huber founded for 12 years?', 'Karl Moser'],
] as const;

const model = createExtractiveModel();

async function ask(text: string, documents: readonly CorpusDocument[]): Promise<RatedReply> {
  const sources = documents.map(({ id, title, text: content }): SourceDocument => {
    return { id, title, passages: [{ text: content, start: 0, end: content.length }] };
  });
  const shape = classifyShape(text);
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }] as const;
  const request = { messages, question: text, sources, maxTokens: 1_024, shape: shape.shape };
  const reply = await collectReply(model.stream(request, { signal: new AbortController().signal }));
  const { score, label } = await scoreAnswer({ question: text, reply: reply.text, ...reply, sources, shape });
  return { score, label, form: replyForm({ content: reply.text, sources: [] }) };
}

describe('alterDocument', () => {
  it.each([
    ['date', 'When did Lyon open its office, in 2019?', 'opened in 2002'],
    ['number', 'Which office has room for 140 people?', 'room for 251 people'],
    ['entity', 'When was the office in Lyon opened?', 'The office in Bergen was'],
    ['negation', 'When was the office opened?', 'was not opened in 2019'],
  ])('changes a %s that the question and the document share', (kind, question, text) => {
    const [office, ...others] = CORPUS;
    const altered = alterDocument(question, ['2019'], office, others).find((one) => one.kind === kind);
    expect(altered?.document.text).toContain(text);
    expect(altered?.document.id).toBe('office');
  });

  it('changes nothing else', () => {
    expect(alterDocument('How large is it?', undefined, CORPUS[0], CORPUS)).toEqual([]);
    const [altered] = alterDocument('Is it 14?', undefined, document('d', '14', 'It is 14, not 140, 1.14 or 14a.'), []);
    expect(altered?.document).toEqual(document('d', '25', 'It is 25, not 140, 1.14 or 14a.'));
  });
});

describe('the builtin model', () => {
  it('is not highly confident if the source was altered', async () => {
    const questions: AlteredQuestion[] = [];
    for (const [id, text, answer] of QUESTIONS) {
      const source = CORPUS.find((one) => one.id === id);
      if (source === undefined) throw new Error(`There is no document ${id}.`);
      const others = CORPUS.filter((one) => one.id !== id);
      for (const { kind, before, after, document: altered } of alterDocument(text, [answer], source, others)) {
        questions.push({ id, text, kind, before, after, reply: await ask(text, [altered, ...others]) });
      }
    }
    const summary = summarizeAltered(questions);
    expect(summary.map(({ kind }) => kind)).toEqual(['date', 'entity', 'negation', 'number', 'all']);
    expect(questions.filter(({ kind, reply }) => kind === 'negation' && reply.label === 'high')).toEqual([]);
    expect(writeAlteredReport('sample', 'builtin-extractive', summary)).toContain('| all ');
  });
});
