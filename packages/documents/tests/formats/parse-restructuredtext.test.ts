import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ParseError } from '#index';
import { parseSample } from '../parse-sample.ts';

const source = `===========
Pump manual
===========

:Author: Ada Lovelace

.. contents:: Table of contents

.. A comment
   over two lines

Read *all* of it, **twice**, and \`\`keep *this*\`\`. See \`the site <https://example.org/pumps>\`_, Valves_
and :ref:\`the checks <checks>\`. A footnote [1]_.

.. _Valves: https://example.org/valves
.. _checks:

Checks
======

- Daily,
  and weekly

  - Pressure
- Monthly

1. First
#. Second

Deeper
------

Run this::

    pump --check

    done

.. code-block:: python
   :linenos:

   print(1)

.. note:: Open valves slowly.

   More text.

.. include:: /etc/passwd

+------+---------+
| Name | Bar     |
+======+=========+
| Pump | 8 or    |
|      | more    |
+------+---------+
| Hose |         |
+------+---------+

=====  =====
A      B
=====  =====
1      2
3      4
=====  =====

.. csv-table:: Limits
   :header: "Name", "Bar"

   "Pump, large", 8

.. list-table::
   :header-rows: 1

   * - Name
     - Bar
   * - Pump
     - 8
       bar

term
    The definition.

>>> 1 + 1
2

Checks again
============

.. [1] The note.
`;

describe('parseRestructuredtext', () => {
  it('keeps sections, lists, tables, code and links, and reads no other files', async () => {
    const { text, title, metadata } = await parseSample(source, 'a.rst');
    expect(text).toBe(
      [
        '# Pump manual',
        'Author: Ada Lovelace',
        'Read all of it, twice, and keep *this*. See [the site](https://example.org/pumps), [Valves](https://example.org/valves) and the checks. A footnote [1].',
        '## Checks',
        '- Daily, and weekly\n  - Pressure\n- Monthly\n1. First\n2. Second',
        '### Deeper',
        'Run this:',
        '```\npump --check\n\ndone\n```',
        '```python\nprint(1)\n```',
        'Note: Open valves slowly.',
        'More text.',
        '| Name | Bar |\n| --- | --- |\n| Pump | 8 or more |\n| Hose |  |',
        '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
        'Limits',
        '| Name | Bar |\n| --- | --- |\n| Pump, large | 8 |',
        '| Name | Bar |\n| --- | --- |\n| Pump | 8 bar |',
        'term',
        'The definition.',
        '```\n>>> 1 + 1\n2\n```',
        '## Checks again',
        '[1] The note.',
      ].join('\n\n'),
    );
    expect({ title, ...metadata }).toEqual({ title: 'Pump manual', charset: 'utf-8', mimeType: 'text/x-rst' });
  });

  it('gives sections their levels in the order of their adornments', async () => {
    const { text } = await parseSample('A\n~~~\n\nB\n^^^\n\nC\n~~~\n\nD\n^^^\n\nE\n***\n', 'a.rst');
    expect(text.split('\n\n')).toEqual(['# A', '## B', '# C', '## D', '### E']);
  });

  it('parses or rejects any markup', async () => {
    const part = fc.constantFrom(
      ...'Title\n=====|-----|- a|  - b|1. c|   d|    e|::|.. note::|.. code-block:: c|.. x:: y|.. |.. _a: b|`a <b>`_|`a`_|a_|:r:`x`|**b**|*i*|``l``|:f: v|>>> x|+--+--+|=== ===|a   b|[1]_|.. [1] z|\\*|'.split(
        '|',
      ),
      '| a | b |',
      '+==+==+',
      '| line',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string({ maxLength: 12 })), { maxLength: 40 }), async (parts) => {
        try {
          const { text } = await parseSample(parts.join('\n'), 'a.rst');
          expect(text.isWellFormed()).toBe(true);
        } catch (error) {
          if (!(error instanceof ParseError)) throw error;
        }
      }),
      { numRuns: 400 },
    );
  });

  it('loses no paragraph, list item or title', async () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    const block = fc.oneof(
      word.map((text) => ({ text, source: text })),
      word.map((text) => ({ text, source: `- ${text}` })),
      word.map((text) => ({ text, source: `${text}\n${'='.repeat(text.length)}` })),
      word.map((text) => ({ text, source: `   ${text}` })),
      word.map((text) => ({ text, source: `.. note:: ${text}` })),
      word.map((text) => ({ text, source: `Code::\n\n   ${text}` })),
      word.map((text) => ({ text, source: `.. py:function:: ${text}(a)\n\n   Does it.` })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 12 }), async (blocks) => {
        const { text } = await parseSample(blocks.map((each) => each.source).join('\n\n'), 'a.rst');
        for (const each of blocks) expect(text).toContain(each.text);
      }),
    );
  });

  it('reads the classes of a program with their contents', async () => {
    const source = '.. class:: Pump(bar)\n\n   Moves water.\n\n   .. method:: start()\n\n      Starts it.\n';
    const { text } = await parseSample(source, 'a.rst');
    expect(text).toBe('Pump(bar)\n\nMoves water.\n\nstart()\n\nStarts it.');
  });

  it('takes a label for that of a list only before a blank line, an indented one, or the next label', async () => {
    const { text } = await parseSample(
      ['A. Einstein wrote it\nin 1905.', 'C. First\nD. Second\n   of all', 'ix. Nine\nx. Ten', 'B. Alone'].join('\n\n'),
      'a.rst',
    );
    expect(text).toBe(
      'A. Einstein wrote it in 1905.\n\n- C. First\n- D. Second of all\n- ix. Nine\n- x. Ten\n- B. Alone',
    );
  });

  it('reads the rows of a very long table', async () => {
    const rows = Array.from({ length: 6_000 }, (_, row) => `a${String(row).padEnd(5)} x${row}`);
    const { text } = await parseSample(
      ['====== =====', 'name   value', '====== =====', ...rows, ''].join('\n'),
      'a.rst',
    );
    expect(text).toContain('\n| a4000 | x4000 |');
    expect(text).toContain('x5999');
  });

  it('keeps all text of a grid with wide letters and cells that span columns and rows', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abXY12林檎値'), minLength: 1, maxLength: 4 });
    const width = 9;
    const shown = (text: string, columns: number): string =>
      ` ${text}${' '.repeat(columns - 1 - [...text].reduce((sum, letter) => sum + (letter > '\u2000' ? 2 : 1), 0))}`;
    const row = fc.record({
      cells: fc.array(letters, { minLength: 3, maxLength: 3 }),
      spans: fc.tuple(fc.boolean(), fc.boolean()),
      isTall: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 6 }), async (rows) => {
        const border = `+${`${'-'.repeat(width)}+`.repeat(3)}`;
        const lines = rows.flatMap(({ cells, spans, isTall }) => {
          const ends = [spans[0] ? ' ' : '|', spans[1] ? ' ' : '|', '|'];
          const line = `|${cells.map((cell, index) => `${shown(cell, width)}${ends[index]}`).join('')}`;
          // The first cell continues next to a line between rows.
          const tall = `|${shown(cells[0] ?? '', width)}+${'-'.repeat(width)}+${'-'.repeat(width)}+`;
          return isTall && !spans[0] ? [line, tall, line, border] : [line, border];
        });
        const { text } = await parseSample(['Text', '', border, ...lines].join('\n'), 'a.rst');
        const count = (all: string, word: string): number => all.split(/[|\s]+/).filter((part) => part === word).length;
        expect(text).not.toContain('+--');
        for (const cell of rows.flatMap((each) => each.cells))
          expect(count(text, cell)).toBeGreaterThanOrEqual(count(lines.join('\n').replace(/[-+]/g, ' '), cell));
      }),
    );
  });

  it('keeps the columns below a cell that spans some of them', async () => {
    const grid = ['+------+-----+-----+', '| Everything in it  |', '+======+=====+=====+', '| A    | B   | C   |'];
    const { text } = await parseSample([...grid, '+------+-----+-----+', ''].join('\n'), 'a.rst');
    expect(text).toBe('| Everything in it |  |  |\n| --- | --- | --- |\n| A | B | C |');
  });

  it('reads long and deeply nested text in linear time', async () => {
    const deep = Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- item`).join('\n\n');
    const starts = [
      '=====  =====\nx\n'.repeat(3_000),
      '.. a\n\n'.repeat(10_000),
      deep,
      '`a'.repeat(20_000),
      '*a '.repeat(20_000),
      ':a'.repeat(60_000),
      '``a`b'.repeat(30_000),
      'a-'.repeat(50_000),
      `\`${' '.repeat(100_000)}<a`,
    ];
    const from = performance.now();
    for (const text of starts) await parseSample(`Start\n\n${text}`, 'a.rst');
    expect(performance.now() - from).toBeLessThan(30_000);
  });
});
