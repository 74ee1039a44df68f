import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../parse-sample.ts';
import { odt } from '../sample-files.ts';

describe('parseOpendocument', () => {
  it('keeps headings, lists, notes and tables', async () => {
    const { text, metadata } = await parseSample(
      odt(`<text:h text:outline-level="2">Leave</text:h>
        <text:p>Twenty<text:s text:c="3"/>days<text:note><text:note-body><text:p>a year</text:p></text:note-body></text:note>.</text:p>
        <text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Two</text:p></text:list-item></text:list></text:list-item></text:list>
        <table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell table:number-columns-repeated="9999999"/></table:table-row></table:table>`),
      'a.odt',
    );
    expect(text).toBe('## Leave\n\nTwenty   days (a year).\n\n- One\n  - Two\n\n| A | B |\n| --- | --- |\n| 1 |  |');
    expect(metadata.mimeType).toBe('application/vnd.oasis.opendocument.text');
  });
});
