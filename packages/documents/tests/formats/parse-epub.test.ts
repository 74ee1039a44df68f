import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';
import { epub } from '../sample-files.ts';

describe('parseEpub', () => {
  it('returns the chapters in reading order', async () => {
    const { text, title, metadata } = await parseSample(
      epub('<h1>One</h1><p>First.</p>', '<h1>Two</h1><p>Last.</p>'),
      'a.epub',
    );
    expect(text).toBe('# One\n\nFirst.\n\n# Two\n\nLast.');
    expect({ title, author: metadata.author, language: metadata.language }).toEqual({
      title: 'A Book',
      author: 'An Author',
      language: 'en-GB',
    });
  });
});
