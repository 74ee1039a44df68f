import { describe, expect, it } from '@jest/globals';
import { oldPpt } from '../old-office.ts';
import { parseSample } from '../parse-sample.ts';

const slides = [
  {
    title: 'Results',
    body: ['Revenue grew by 12%', 'Größte Märkte: 日本'],
    box: 'A free text box',
    notes: 'Thank the team.',
  },
  { title: 'Outlook', body: [] },
];
const text = [
  '## Results',
  '- Revenue grew by 12%\n- Größte Märkte: 日本',
  'A free text box',
  'Notes: Thank the team.',
  '## Outlook',
].join('\n\n');

describe('parsePpt', () => {
  it('writes a page for each slide with its title, lists, text boxes and notes', async () => {
    const parsed = await parseSample(oldPpt(slides), 'a.ppt');
    expect(parsed.text).toBe(text);
    expect(parsed).toMatchObject({ title: 'Results', metadata: { pages: 2 } });
    expect(parsed.pageOffsets).toEqual([0, text.indexOf('## Outlook')]);
  });

  it('reads the last of several saves', async () => {
    const first = [{ title: 'Draft', body: ['Old'], notes: 'Old' }];
    expect((await parseSample(oldPpt(first, slides), 'a.ppt')).text).toBe(text);
  });
});
