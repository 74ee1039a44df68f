import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';

describe('parseMarkdown', () => {
  it('returns the normal form, with inline markup resolved', async () => {
    const { text, title } = await parseSample(
      `Title
=====

Some *emphasis* and \`code\`, a [site](https://example.com/x), a [page](other.md), [both][1].
Hard  
break.

* one
* two
  1. nested

| a | b |
|---|---|
| 1 | x\\|y |

<details><summary>More</summary>Hidden text</details>

<!-- a comment -->

\`\`\`ts
# code
\`\`\`

[1]: https://example.com/both
`,
      'a.md',
    );
    expect(title).toBe('Title');
    expect(text).toBe(
      `# Title

Some emphasis and \`code\`, a [site](https://example.com/x), a page, [both](https://example.com/both).
Hard
break.

- one
- two
  1. nested

| a | b |
| --- | --- |
| 1 | x\\|y |

More

Hidden text

\`\`\`ts
# code
\`\`\``,
    );
  });

  it('reads front matter as metadata, and executes nothing in it', async () => {
    const { text, title, metadata } = await parseSample(
      '---\ntitle: Travel\nauthor: [Ada, Grace]\ndate: 2024-05-06\ntags: a, b\n---\n\nBody',
      'a.md',
    );
    expect({ text, title }).toEqual({ text: 'Body', title: 'Travel' });
    expect(metadata).toMatchObject({
      author: 'Ada, Grace',
      createdAt: '2024-05-06T00:00:00.000Z',
      keywords: ['a', 'b'],
    });
    const code = await parseSample('---js\n{ title: globalThis.process.exit(1) }\n---\nBody', 'a.md');
    expect(code.text).toContain('globalThis');
  });

  it('returns a text that is nested too deeply unchanged', async () => {
    const { text } = await parseSample(`${'>'.repeat(20_000)} deep`, 'a.md');
    expect(text.endsWith('deep')).toBe(true);
  });
});
