import { describe, expect, it } from '@jest/globals';
import type { CitationEvent } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';
import type { ReviewedReply } from '#quality/quality-rule';
import { reviewReply } from '#quality/review-reply';

const TEXT = 'The bridge over the Aare was opened in 1883. It is 41 meters high. Trams have crossed it since 1890.';
const GERMAN = 'Die Brücke über die Aare wurde im Jahr 1883 eröffnet und ist bis heute die höchste der ganzen Stadt.';
const OTHER = 'The museum keeps paintings and coins of the old town.';
const SOURCES: readonly SourceDocument[] = [
  { id: 'bridge', title: 'The bridge', passages: [{ text: TEXT, start: 0, end: TEXT.length }] },
  { id: 'museum', title: 'The museum', passages: [{ text: OTHER, start: 0, end: OTHER.length }] },
  { id: 'bruecke', title: 'Brücke', passages: [{ text: GERMAN, start: 0, end: GERMAN.length }] },
];
const QUESTION = 'When was the bridge over the Aare opened?';

function cite(reply: string, claim: string, quote = claim, sourceId = 'bridge'): CitationEvent {
  const textStart = reply.indexOf(claim);
  return {
    type: 'citation',
    marker: 1,
    sourceId,
    passageIndex: 0,
    quote,
    textStart,
    textEnd: textStart + claim.length,
  };
}

async function violations(reply: string, citations: readonly CitationEvent[], rest: Partial<ReviewedReply> = {}) {
  const reviewed = {
    question: QUESTION,
    reply,
    citations,
    sources: SOURCES,
    shape: 'lookup',
    stopReason: 'end',
  } as const;
  return (await reviewReply({ ...reviewed, ...rest })).map(({ rule }) => rule);
}

const OPENED = 'The bridge over the Aare was opened in 1883.';

describe('the quality checks', () => {
  it('accept a reply that quotes its source', async () => {
    expect(await violations(`${OPENED} [1]`, [cite(OPENED, OPENED)])).toEqual([]);
  });

  it('report an empty reply and a truncated one', async () => {
    expect(await violations(' ', [])).toContain('empty_reply');
    expect(await violations(`${OPENED} [1]`, [cite(OPENED, OPENED)], { stopReason: 'max_tokens' })).toEqual([
      'truncated',
    ]);
  });

  it('report a marker without a citation', async () => {
    expect(await violations(`${OPENED} [1] [7]`, [cite(OPENED, OPENED)])).toEqual(['dangling_marker']);
  });

  it('accept bracketed numbers in code and in a quote', async () => {
    const reply = `Run \`process.argv[7]\`: ${OPENED} [1]\n\n\`\`\`js\nargv[8];\n\`\`\``;
    expect(await violations(reply, [cite(reply, OPENED)])).not.toContain('dangling_marker');
  });

  it('report a quote that is not in its passage', async () => {
    expect(await violations(`${OPENED} [1]`, [cite(OPENED, OPENED, 'The bridge was opened twice.')])).toEqual([
      'unsupported_quote',
    ]);
  });

  it('report a claim without a source', async () => {
    const reply = `${OPENED} [1] A famous architect designed the railings.`;
    expect(await violations(reply, [cite(reply, OPENED)])).toEqual(['uncited_claim']);
  });

  it('report a number that the source does not contain', async () => {
    const claim = 'The bridge over the Aare was opened in 1885.';
    expect(await violations(`${claim} [1]`, [cite(claim, claim, OPENED)])).toEqual(['unsupported_number']);
  });

  it('report a reply in a different language than the question', async () => {
    const claim = 'Die Brücke über die Aare wurde im Jahr 1883 eröffnet und ist für die Stadt sehr wichtig.';
    expect(await violations(`${claim} [1]`, [cite(claim, claim, OPENED)])).toEqual(['wrong_language']);
  });

  it('accept a quote in the language of its document', async () => {
    const reply = `According to "Brücke": ${GERMAN} [1]`;
    expect(await violations(reply, [cite(reply, GERMAN, GERMAN, 'bruecke')])).toEqual([]);
  });

  it('report a refusal only if a passage clearly answers and the reply does not quote', async () => {
    const refusal = 'I could not find an answer to that in the documents.';
    expect(await violations(refusal, [])).toEqual(['needless_refusal']);
    expect(await violations(refusal, [], { question: 'Who baked the first cake in Peru?' })).toEqual([]);
    const reply = `${refusal} The closest: ${OPENED} [1]`;
    expect(await violations(reply, [cite(reply, OPENED)])).toEqual([]);
  });
});
