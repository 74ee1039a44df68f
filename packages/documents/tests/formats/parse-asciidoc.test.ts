import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ParseError } from '#index';
import { parseSample } from '../parse-sample.ts';

const source = `= Pump manual
Ada Lovelace <ada@example.org>
:description: How to check pumps
:keywords: pumps, valves

Read *all* of it. See https://example.org/pumps[the site].

include::/etc/passwd[]

== Checks by {author}

* Daily
** Pressure
. First
. Second

[source,ruby]
----
puts 1 <1>
----
<1> Prints one

.Limits
|===
|Name |Bar

|Pump
|8
|===

NOTE: Open valves slowly.

[stem]
++++
x^2
++++
`;

describe('parseAsciidoc', () => {
  it('keeps headings, lists, tables, code and links, and reads no other files', async () => {
    const { text, title, metadata } = await parseSample(source, 'a.adoc');
    expect(text).toBe(
      [
        '# Pump manual',
        'Read all of it. See [the site](https://example.org/pumps).',
        '/etc/passwd',
        '## Checks by Ada Lovelace',
        '- Daily\n  - Pressure\n    1. First\n    2. Second',
        '```ruby\nputs 1\n```',
        '1. Prints one',
        'Table 1. Limits',
        '| Name | Bar |\n| --- | --- |\n| Pump | 8 |',
        'Note',
        'Open valves slowly.',
        '\\[x^2\\]',
      ].join('\n\n'),
    );
    expect({ title, ...metadata }).toEqual({
      title: 'Pump manual',
      author: 'Ada Lovelace',
      description: 'How to check pumps',
      keywords: ['pumps', 'valves'],
      charset: 'utf-8',
      mimeType: 'text/asciidoc',
    });
  });

  it('keeps the columns next to cells that span rows and columns', async () => {
    const table =
      '[cols="3*",options=header]\n|===\n|A |B |C\n\n.3+|tall |b1 |c1\n2+|wide\n|b3 |c3\n|a4 |b4 |c4\n|===\n';
    const { text } = await parseSample(table, 'a.adoc');
    expect(text.split('\n').slice(2)).toEqual([
      '| tall | b1 | c1 |',
      '|  | wide |  |',
      '|  | b3 | c3 |',
      '| a4 | b4 | c4 |',
    ]);
  });

  it('replaces no attribute that is not defined', async () => {
    const { text } = await parseSample('{constructor} {toString} {valueof} {x}', 'a.adoc');
    expect(text).toBe('{constructor} {toString} {valueof} {x}');
  });

  it('reads long runs of blanks and marks in a short time, and keeps what is too long as text', async () => {
    const [code, list, cells] = ['print(1)', '* item _a', '|a _b |c'].map((line) => `${line}\n`.repeat(1_500));
    const sources = [
      `a${' '.repeat(100_000)}x`,
      `a\n${' '.repeat(100_000)}x`,
      '_a '.repeat(100_000),
      '_a \n'.repeat(100_000),
      `x\n${'- _a\n'.repeat(50_000)}`,
      `[subs=normal]\n----\n${'_a '.repeat(100_000)}\n----`,
      `|===\n|${'_a '.repeat(100_000)}\n|===`,
      '<<a '.repeat(100_000),
    ];
    const start = performance.now();
    for (const source of sources) expect((await parseSample(source, 'a.adoc')).text).toMatch(/[ax]/);
    expect(performance.now() - start).toBeLessThan(20_000);
    const { text } = await parseSample(`----\n${code}----\n\n${list}\n|===\n${cells}|===\n`, 'a.adoc');
    for (const part of ['```\nprint(1)\n', '- item _a\n- item _a', '| a _b | c |']) expect(text).toContain(part);
  });

  it('parses or rejects any markup', async () => {
    const part = fc.constantFrom(
      ...'= A|== B|* x|** y|. z|----|====|____|++++|[source,c]|[quote]|.Title|a::|b:: c|include::x[]|image::y[z]|ifdef::a[]|endif::[]|:a: b|{a}|<<a>>|footnote:[x]|*b*|_i_|`c`|NOTE: d|\n|+|\\|a|TEXT\0'
        .split('|')
        .concat('|===', '|a |b', '[cols="1,2"]', '!==='),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string({ maxLength: 12 })), { maxLength: 25 }), async (parts) => {
        try {
          const { text } = await parseSample(parts.join('\n'), 'a.adoc');
          expect(text.isWellFormed()).toBe(true);
        } catch (error) {
          if (!(error instanceof ParseError)) throw error;
        }
      }),
      { numRuns: 150 },
    );
  });
});
