import { describe, expect, it } from '@jest/globals';
import { classifyShape, type SourceDocument, scoreAnswer } from '@lectern/grounding';
import { openFence } from '@lectern/text';
import fc from 'fast-check';
import { composeReply } from '#compose-reply';
import { fitPieces } from '#fit-pieces';

function source(title: string, text: string, id = title): SourceDocument {
  return { id, title, passages: [{ text, start: 0, end: text.length }] };
}

async function textOf(...reply: Parameters<typeof composeReply>): Promise<string> {
  const texts: string[] = [];
  for (const piece of await composeReply(...reply)) if (piece.type === 'text') texts.push(piece.text);
  return texts.join('');
}

const BADGES = source(
  'Badges',
  `# Badges

Everybody wears a badge.

## Replacing a badge

To replace a lost badge:

1. Inform the front desk.
2. Fill in the badge form.
3. Pick up the new badge the next morning.

A replacement costs $15.
`,
);

const PLANS = source(
  'Plans',
  `# Plans

The silver plan covers two users and costs 20 euros a month. The gold plan covers ten users and costs 90 euros a month.
Both plans renew every January.
`,
);

const RATES = source(
  'Rates',
  '| City | Daily rate | Hotel limit |\n|---|---|---|\n| Bern | 70 francs | 180 francs |\n| Oslo | 95 francs | 240 francs |\n',
);

describe('composeReply', () => {
  it('quotes the section with the steps, with its formatting', async () => {
    expect(await textOf('How do I replace a lost badge?', [BADGES], 'how_to')).toBe(
      'According to "Badges › Replacing a badge":\n\nTo replace a lost badge:\n\n1. Inform the front desk.\n' +
        '2. Fill in the badge form.\n3. Pick up the new badge the next morning.\n\nA replacement costs $15. [1]',
    );
  });

  it('quotes a quantity before the sentence about it', async () => {
    const text =
      'A foster parent can take up to 16 weeks. A second carer can take up to 6 weeks. Further weeks are unpaid. ' +
      'All parental leave ends within the first year after the birth.\n';
    expect(await textOf('How long is parental leave?', [source('Leave', text)], 'lookup')).toBe(
      'According to "Leave": A foster parent can take up to 16 weeks. [1] A second carer can take up to 6 weeks. [1] ' +
        'All parental leave ends within the first year after the birth. [1]',
    );
  });

  it('quotes code with its fences, and the marker below it', async () => {
    const text =
      '# Guide\n\n## Back up the data\n\nTo back up the data:\n\n```sh\n# first[1]\nrun backup\n```\n\n## Other\n\nNothing else.\n';
    expect(await textOf('How do I back up the data?', [source('Guide', text)], 'how_to')).toBe(
      'According to "Guide › Back up the data":\n\nTo back up the data:\n\n```sh\n# first[1]\nrun backup\n```\n\n[1]',
    );
  });

  it.each([
    [
      'starts',
      'run backup --all\n```\n\nThen check the backup:\n\n```sh\nrun check\n```\n',
      '```\nrun backup --all\n```\n\nThen check the backup:\n\n```sh\nrun check\n```\n\n[1]',
    ],
    [
      'ends',
      'Run the backup:\n\n~~~sh\nrun backup\n```\nrun check',
      'Run the backup:\n\n~~~sh\nrun backup\n```\nrun check\n~~~\n\n[1]',
    ],
  ])('completes the fences of a passage that %s in code', async (_case, text, shown) => {
    const reply = await textOf('How do I run and check the backup?', [source('Backup', text)], 'how_to');
    expect(reply).toBe(`According to "Backup":\n\n${shown}`);
  });

  it('closes all code that it quotes', async () => {
    const line = fc.constantFrom(
      '```sh',
      '```',
      '~~~',
      '````',
      '  ```',
      'run the backup',
      '1. Run the backup.',
      '# Backup',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (lines) => {
        const reply = await textOf('How do I run the backup?', [source('Guide', lines.join('\n'))], 'how_to');
        expect(openFence(reply)).toBeUndefined();
      }),
    );
  });

  it('cites a quoted section verbatim', async () => {
    const pieces = await composeReply('How do I replace a lost badge?', [BADGES], 'how_to');
    const [citation] = pieces.flatMap((piece) => (piece.type === 'citation' ? [piece.citation] : []));
    expect(BADGES.passages[0]?.text).toContain(citation?.quote);
    expect(citation?.quote).toMatch(/^To replace .*\$15\.$/s);
  });

  it('reduces a long section to the blocks around the steps', async () => {
    const filler = Array.from(
      { length: 40 },
      (_, at) => `Paragraph ${at} describes the history of the gate in many words.`,
    );
    const steps = 'To open the gate:\n\n1. Turn the key.\n2. Push the gate.';
    const text = `# Gate\n\n${filler.join('\n\n')}\n\n${steps}\n\n${filler.join('\n\n')}\n`;
    const reply = await textOf('How do I open the gate?', [source('Gate', text)], 'how_to');
    expect(reply).toContain(steps);
    expect(reply.length).toBeLessThan(2_600);
  });

  it('quotes only as much of a section as the limit allows', async () => {
    const paragraphs = Array.from({ length: 20 }, (_, at) => `Note ${at} explains the history of the gate.`);
    const steps = 'To open the gate:\n\n1. Turn the key.\n2. Push the gate.';
    const sources = [source('Gate', `# Gate\n\n${steps}\n\n${paragraphs.join('\n\n')}\n`)];
    for (const maxTokens of [60, 100, 200]) {
      const pieces = await composeReply('How do I open the gate?', sources, 'how_to', undefined, maxTokens);
      expect(fitPieces(pieces, maxTokens)).toBe(pieces);
      expect(pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')).toContain(steps);
    }
  });

  it('answers a question about a price with the sentence that names it', async () => {
    expect(await textOf('How much does a replacement badge cost?', [BADGES], 'lookup')).toContain(
      'A replacement costs $15. [1]',
    );
  });

  it('quotes both documents if they contradict each other', async () => {
    const handbook = source('Handbook', 'Every employee gets 28 days of paid vacation a year. Ask your manager.');
    const intranet = source('Intranet', 'Every employee gets 25 days of paid vacation a year. Lunch is free.');
    const reply = await textOf('How many days of paid vacation do I get?', [handbook, intranet], 'lookup');
    expect(reply).toContain('28 days of paid vacation a year. [1]');
    expect(reply).toContain('25 days of paid vacation a year. [2]');
    expect(reply).toMatch(/^The documents differ:\n\nAccording to "Handbook": .*\n\nAccording to "Intranet": /);
  });

  it('does not quote a document about another year as a contradiction', async () => {
    const sources = [2018, 2022].map((year) =>
      source(
        `Report ${year}`,
        `In ${year} the plant in Basel produced ${year - 1000} tons of steel. It was a good year.`,
      ),
    );
    const reply = await textOf('How many tons of steel did the plant in Basel produce in 2018?', sources, 'lookup');
    expect(reply).toContain('1018 tons of steel. [1]');
    expect(reply).not.toContain('1022');
    expect(reply).not.toContain('differ');
  });

  it('quotes the list that a sentence introduces', async () => {
    const text = '# Office\n\nThe office in Bern has three rooms for visitors:\n\n- Aare\n- Gurten\n- Bundesplatz\n';
    const reply = await textOf(
      'What rooms for visitors does the office in Bern have?',
      [source('Office', text)],
      'lookup',
    );
    expect(reply).toContain('for visitors: [1]\n\n- Aare [1]\n- Gurten [1]\n- Bundesplatz [1]');
  });

  it('quotes both sides of a comparison', async () => {
    const reply = await textOf(
      'What is the difference between the silver plan and the gold plan?',
      [PLANS],
      'comparison',
    );
    expect(reply).toContain('**Silver plan**: The silver plan covers two users');
    expect(reply).toContain('**Gold plan**: The gold plan covers ten users');
  });

  it('states that documents differ about a side of a comparison', async () => {
    const newer = source('News', 'The silver plan covers three users and costs 9 euros. Ask sales about it.');
    const older = source(
      'Plans',
      'The silver plan covers two users and costs 8 euros. The gold plan covers ten users.',
    );
    const question = 'What is the difference between the silver plan and the gold plan?';
    const reply = await textOf(question, [older, newer], 'comparison');
    expect(reply).toMatch(/^\*\*Silver plan\*\*: The documents differ: /);
  });

  it('quotes a possible answer if the evidence is weak, and marks it', async () => {
    const perks = source('Perks', 'Everybody carries a card for purchases. Ask the team lead if it gets lost.');
    const travel = source('Travel', 'The team books trains and hotels. Send receipts by Friday.');
    const reply = await textOf('what happens if my laptop gets lost on the train', [perks, travel], 'lookup');
    expect(reply).toMatch(
      /^This passage of "Perks" may answer the question: Ask the team lead if it gets lost\. \[1\]/,
    );
  });

  it('does not state an answer if half of a short question is in no source', async () => {
    const sources = [
      source('Handbook', 'Employees get 30 days of vacation per year. Sick leave is paid for six weeks.'),
      source('IT', 'Passwords must have 14 characters. Laptops are replaced every three years.'),
    ];
    const foreign = fc.constantFrom('training', 'parking', 'rehearsal', 'mentoring', 'gardening', 'sculpture');
    const questions = foreign.chain((word) =>
      fc.constantFrom(
        `How many days of ${word} do employees get?`,
        `How long is the ${word} leave?`,
        `How often are laptops used for ${word}?`,
        `Which passwords are for ${word}?`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const shape = classifyShape(question);
        const pieces = await composeReply(question, sources, shape.shape);
        const reply = pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
        const citations = pieces.flatMap((piece) => (piece.type === 'citation' ? [piece.citation] : []));
        expect(reply).not.toMatch(/^According to/);
        const { label } = await scoreAnswer({ question, reply, citations, sources, shape });
        expect(label).toBe('low');
      }),
    );
    expect(await textOf('How many days of vacation do employees get?', sources, 'lookup')).toMatch(/^According to/);
  });

  it('names the side of a comparison that the sources do not mention', async () => {
    const reply = await textOf('Compare the silver plan with the platinum ticket', [PLANS], 'comparison');
    expect(reply).toContain('I found nothing about platinum ticket in the documents I can see.');
  });

  it('quotes a table row with the names of its columns', async () => {
    const pieces = await composeReply('What is the hotel limit in Oslo?', [RATES], 'lookup');
    const [citation] = pieces.flatMap((piece) => (piece.type === 'citation' ? [piece.citation] : []));
    expect(citation?.quote).toBe('| Oslo | 95 francs | 240 francs |');
    expect(await textOf('What is the hotel limit in Oslo?', [RATES], 'lookup')).toContain(
      'City: Oslo; Daily rate: 95 francs; Hotel limit: 240 francs [1]',
    );
  });

  it('summarizes only the document that the question names', async () => {
    const reply = await textOf('Summarize the badges document', [BADGES, PLANS], 'summary');
    expect(reply).toContain('Everybody wears a badge.');
    expect(reply).not.toContain('silver');
  });

  it('summarizes only the section that the question names', async () => {
    const text =
      '# Offices\n\n## Bern\n\nThe Bern office has ten desks.\n\n## Oslo\n\nThe rooms look over the harbor.\n';
    const reply = await textOf('Give me an overview of Oslo', [source('Offices', text)], 'summary');
    expect(reply).toContain('The rooms look over the harbor.');
    expect(reply).not.toContain('ten desks');
  });

  it('summarizes a text that consists of fragments', async () => {
    expect(await textOf('Summarize "Keeper".', [source('Keeper', 'The wombat.')], 'summary')).toContain('The wombat.');
  });

  it('numbers sources in order of first citation, regardless of their order in the request', async () => {
    const sources = [
      source('Garden', 'The garden has roses.'),
      source('Roof', 'The roof terrace opens at 8 in the morning.'),
    ];
    expect(await textOf('When does the roof terrace open?', sources, 'lookup')).toBe(
      'According to "Roof": The roof terrace opens at 8 in the morning. [1]',
    );
  });

  it('does not show bracketed numbers of the source as markers', async () => {
    const sources = [source('Rivers', 'The river Aare is 288 km long.[4] It rises in the Alps.[5]')];
    expect(await textOf('How long is the river Aare?', sources, 'lookup')).toContain(
      'The river Aare is 288 km long. [1]',
    );
  });

  it('keeps inline code as it is', async () => {
    const sources = [source('Scripts', 'The script reads the file name from `argv[2]  || name`.[3]')];
    expect(await textOf('Where does the script read the file name from?', sources, 'lookup')).toContain(
      'from `argv[2]  || name`. [1]',
    );
  });

  it('adds the sentence that a pronoun refers to', async () => {
    const sources = [source('Press', 'The press room is on floor two. It holds forty people with their cameras.')];
    const reply = await textOf('How many people does the press room hold?', sources, 'lookup');
    expect(reply).toContain('The press room is on floor two. [1] It holds forty people with their cameras. [1]');
  });

  it('answers a German question in German and quotes the document unchanged', async () => {
    const sources = [source('Urlaub', 'Alle Angestellten haben 28 Urlaubstage im Jahr. Resturlaub verfällt im März.')];
    expect(await textOf('Wie viele Urlaubstage haben Angestellte?', sources, 'lookup')).toContain(
      'Laut „Urlaub“: Alle Angestellten haben 28 Urlaubstage im Jahr. [1]',
    );
    expect(await textOf('Wer gewann die Schachweltmeisterschaft?', sources, 'lookup')).toMatch(
      /keine Antwort finden\. .*„Urlaub“\.$/,
    );
  });

  it.each([
    ['another name', 'How many users does the bronze plan of Contoso cover?'],
    ['another count', 'How many servers do the plans include?'],
    ['another subject', 'Who painted the ceiling of the chapel?'],
  ])('finds no answer if the sources share words but mention %s', async (_case, question) => {
    expect(await textOf(question, [PLANS], 'lookup')).toMatch(
      /^(?:I could not find an answer|The passages that were found do not mention)/,
    );
  });

  it('returns the same reply for the same request', async () => {
    const request = ['What does the gold plan cost?', [PLANS, BADGES], 'lookup'] as const;
    expect(await composeReply(...request)).toEqual(await composeReply(...request));
  });

  it.each(['', '?', '¿¿¿', '```', '| | |', '\u0000\uD800', 'a '.repeat(3000)])('accepts any text: %j', async (text) => {
    for (const shape of ['lookup', 'how_to', 'comparison', 'list', 'summary', 'analysis'] as const) {
      await expect(composeReply(text, [source('Odd', text), source('Empty', '')], shape)).resolves.toBeDefined();
    }
  });
});
