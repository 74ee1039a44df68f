import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { parseSample } from '../parse-sample.ts';

const workbook = (
  sheets: Readonly<Record<string, unknown[][]>>,
  bookType: 'xlsx' | 'ods' | 'xls' = 'xlsx',
): Uint8Array => {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  return new Uint8Array(write(book, { type: 'array', bookType, compression: true }));
};

describe('parseSpreadsheet', () => {
  it('returns one page per sheet, with tables separated by empty rows', async () => {
    const sheets = {
      Staff: [['Name', 'Age'], ['Ada', 36], [], ['Total', 'x'], ['Sum', 36]],
      Notes: [['Only a remark']],
    };
    for (const kind of ['xlsx', 'ods', 'xls'] as const) {
      const { text, metadata, pageOffsets } = await parseSample(workbook(sheets, kind), `a.${kind}`);
      expect(text).toBe(
        '## Staff\n\n| Name | Age |\n| --- | --- |\n| Ada | 36 |\n\n| Total | x |\n| --- | --- |\n| Sum | 36 |\n\n## Notes\n\nOnly a remark',
      );
      expect(pageOffsets).toEqual([0, text.indexOf('## Notes')]);
      expect(metadata.pages).toBe(2);
    }
  });

  it('formats dates and skips empty rows', async () => {
    const book = utils.book_new();
    const sheet = utils.aoa_to_sheet([['When'], [new Date(Date.UTC(2024, 4, 6))]], { UTC: true, cellDates: true });
    utils.book_append_sheet(book, sheet, 'Dates');
    const parts = unzipSync(new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' })));
    const name = 'xl/worksheets/sheet1.xml';
    const stray = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far away</t></is></c></row></sheetData>';
    const xml = strFromU8(parts[name]!)
      .replace('</sheetData>', stray)
      .replace(/ref="A1:A2"/, 'ref="A1:XFD1048576"');
    const { text } = await parseSample(zipSync({ ...parts, [name]: strToU8(xml) }), 'a.xlsx');
    expect(text).toBe('## Dates\n\nWhen\n2024-05-06\n\nfar away');
  });

  it('reads a workbook in XML of Excel 2003', async () => {
    const cell = (text: string, type = 'String') => `<Cell><Data ss:Type="${type}">${text}</Data></Cell>`;
    const rows = `<Row>${cell('Name')}${cell('Age')}</Row><Row>${cell('Ada')}${cell('36', 'Number')}</Row>`;
    const names =
      'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"';
    const xml = `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook ${names}><Worksheet ss:Name="People"><Table>${rows}</Table></Worksheet></Workbook>`;
    for (const name of ['people.xls', 'people.xml']) {
      const { text, metadata } = await parseSample(xml, name);
      expect(text).toBe('## People\n\n| Name | Age |\n| --- | --- |\n| Ada | 36 |');
      expect(metadata.mimeType).toBe('application/vnd.ms-excel');
    }
  });
});
