import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ParseError } from '#index';
import { parseSample } from '../parse-sample.ts';

describe('parseNotebook', () => {
  it('writes Markdown, and code with its text outputs', async () => {
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { language_info: { name: 'python' }, authors: [{ name: 'Ada' }] },
      cells: [
        { cell_type: 'markdown', metadata: {}, source: ['Leave\n', '=====\n', '\n', '* thirty **days**'] },
        { cell_type: 'markdown', metadata: {}, source: ['![](image.png)'] },
        {
          ...{ cell_type: 'code', execution_count: 1, metadata: {}, source: 'print(30)\n30' },
          outputs: [
            { output_type: 'stream', name: 'stdout', text: ['\u001b[31m30\u001b[0m\n'] },
            { output_type: 'execute_result', data: { 'text/plain': '30', 'image/png': 'iVBORw0KGgo=' }, metadata: {} },
          ],
        },
        { cell_type: 'raw', metadata: {}, source: 'As it is.' },
      ],
    };
    const { text, metadata } = await parseSample(JSON.stringify(notebook), 'a.ipynb');
    expect(text).toBe(
      ['# Leave', '- thirty days', '```python\nprint(30)\n30\n```', '```\n30\n```', '```\n30\n```', 'As it is.'].join(
        '\n\n',
      ),
    );
    expect(metadata).toMatchObject({ author: 'Ada', mimeType: 'application/x-ipynb+json' });
  });

  it('reads notebooks of format 3', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Leave' },
      { cell_type: 'code', language: 'python', input: ['1 + 1'], outputs: [{ output_type: 'pyout', text: ['2'] }] },
    ];
    const { text } = await parseSample(JSON.stringify({ nbformat: 3, worksheets: [{ cells }] }), 'a.ipynb');
    expect(text).toBe('## Leave\n\n```\n1 + 1\n```\n\n```\n2\n```');
  });

  it('reads any other JSON, and any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (content) => {
        const parsed = await parseSample(content, 'a.ipynb').catch((error: unknown) => error);
        if (parsed instanceof ParseError) expect(parsed.code).toBe('no_text');
        else expect(parsed).not.toBeInstanceOf(Error);
      }),
    );
  });
});
