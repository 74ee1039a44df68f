import { describe, expect, it } from '@jest/globals';
import { quotedDocuments } from '#sources/quoted-documents';

const SECRET = 'The vault in Reykjavik opens with the turquoise falcon phrase on every second Tuesday.';
const OTHER = 'The coffee machine is descaled every Friday by the office team, before anyone comes.';
const shown = [
  { text: `${OTHER} ${SECRET} ${OTHER}`, documents: ['secret'] },
  { text: `${OTHER} And nothing else is to be done about it.`, documents: ['coffee', 'plan'] },
];

describe('quotedDocuments', () => {
  it.each([
    ['word for word', SECRET],
    ['without punctuation and in upper case', `so: ${SECRET.toUpperCase().replaceAll(' ', '\n')}`],
    ['partially', 'It opens with the turquoise falcon phrase on every second day.'],
  ])('finds a document that the reply repeats %s', async (_how, reply) => {
    expect(await quotedDocuments(reply, shown)).toEqual(['secret']);
  });

  it('finds all documents that contain a repeated text', async () => {
    expect((await quotedDocuments(OTHER, shown)).sort()).toEqual(['coffee', 'plan', 'secret']);
  });

  it('finds nothing for words that only the reply has, or for too few words', async () => {
    expect(await quotedDocuments('I could not find an answer to this question anywhere.', shown)).toEqual([]);
    expect(await quotedDocuments('The vault.', shown)).toEqual([]);
    expect(await quotedDocuments('', shown)).toEqual([]);
  });

  it('finds documents in languages without spaces', async () => {
    const text = '保管庫は毎週火曜日の午後三時に青い鳥という合言葉で開き翌朝まで閉じられないことになっている';
    expect(await quotedDocuments(`答え：${text}。`, [{ text, documents: ['ja'] }])).toEqual(['ja']);
  });
});
