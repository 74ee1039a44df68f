import { describe, expect, it } from '@jest/globals';
import { drawnFrom } from './drawn-from.ts';

const SECRET = 'The vault in Reykjavik opens with the turquoise falcon phrase on every second Tuesday.';
const OTHER = 'The coffee machine is descaled every Friday by the office team, before anybody comes.';
const shown = [
  { text: `${OTHER} ${SECRET} ${OTHER}`, documents: ['secret'] },
  { text: `${OTHER} And nothing else is to be done about it.`, documents: ['coffee', 'plan'] },
];

describe('the documents whose words a reply repeats', () => {
  it.each([
    ['word for word', SECRET],
    ['without its punctuation, in other cases', `so: ${SECRET.toUpperCase().replaceAll(' ', '\n')}`],
    ['in part', 'It opens with the turquoise falcon phrase on every second day.'],
  ])('are found where it repeats them %s', async (_how, reply) => {
    expect(await drawnFrom(reply, shown)).toEqual(['secret']);
  });

  it('are all documents that contain a repeated text', async () => {
    expect((await drawnFrom(OTHER, shown)).sort()).toEqual(['coffee', 'plan', 'secret']);
  });

  it('are none for words that only the reply has, or for too few words', async () => {
    expect(await drawnFrom('I could not find an answer to this question anywhere.', shown)).toEqual([]);
    expect(await drawnFrom('The vault.', shown)).toEqual([]);
    expect(await drawnFrom('', shown)).toEqual([]);
  });

  it('are found in languages without spaces', async () => {
    const text = '保管庫は毎週火曜日の午後三時に青い鳥という合言葉で開き翌朝まで閉じられないことになっている';
    expect(await drawnFrom(`答え：${text}。`, [{ text, documents: ['ja'] }])).toEqual(['ja']);
  });
});
