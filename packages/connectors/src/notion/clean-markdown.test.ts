import { describe, expect, it } from '@jest/globals';
import { cleanMarkdown } from '#notion/clean-markdown';

describe('cleanMarkdown', () => {
  it('keeps text and links, and removes tags', () => {
    const text = [
      '<callout icon="💡">',
      '\tMind the gap <span color="red">here</span>',
      '</callout>',
      '<page url="https://notion.so/abc">Child</page>',
      'by <mention-user url="https://notion.so/u">Ada</mention-user> <unknown url="#1" alt="embed"/>',
      'a < b and c > d',
    ];
    expect(cleanMarkdown(text.join('\n')).split('\n')).toEqual([
      '',
      '\tMind the gap here',
      '',
      '[Child](https://notion.so/abc)',
      'by Ada',
      'a < b and c > d',
    ]);
  });

  it('does not change code', () => {
    const code = '```html\n<callout>\n</callout>\n```\n<columns>';
    expect(cleanMarkdown(code)).toBe('```html\n<callout>\n</callout>\n```\n');
  });
});
