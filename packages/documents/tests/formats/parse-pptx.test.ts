import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';
import { pptx, slideShape } from '../sample-files.ts';

describe('parsePptx', () => {
  it('returns the slides in presentation order, one page each', async () => {
    const file = pptx(
      slideShape('body', 'Revenue', 'Costs') + slideShape('title', 'Results') + slideShape('sldNum', '1'),
      slideShape('ctrTitle', 'Questions'),
    );
    const { text, title, metadata, pageOffsets } = await parseSample(file, 'a.pptx');
    expect(text).toBe('## Results\n\n- Revenue\n- Costs\n\n## Questions');
    expect(pageOffsets).toEqual([0, text.indexOf('## Questions')]);
    expect({ title, pages: metadata.pages, author: metadata.author }).toEqual({
      title: 'Quarterly review',
      pages: 2,
      author: 'Grace Hopper',
    });
  });
});
