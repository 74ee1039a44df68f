import { expect, it } from '@jest/globals';
import { announcedText, answerText } from '#pages/chat/answer-text.ts';

it('lists the sources below a copied answer', () => {
  const sources = [
    { id: 'doc_1', title: 'Leave', excerpt: '', url: 'https://example.com/leave' },
    { id: 'doc_2', title: 'Travel', excerpt: '', url: null },
  ];
  expect(answerText({ content: 'Thirty days [1].', sources })).toBe(
    'Thirty days [1].\n\nSources:\n[1] Leave – https://example.com/leave\n[2] Travel',
  );
  expect(answerText({ content: 'Hello!', sources: [] })).toBe('Hello!');
});

it('omits marks in the text that is read aloud', () => {
  expect(announcedText('According to "Leave":\n\n- **Thirty** days [1].')).toBe('According to "Leave": - Thirty days.');
});
