import { describe, expect, it } from '@jest/globals';
import { ocrNotice } from '#pages/documents/ocr-notice.ts';

describe('ocrNotice', () => {
  it('reports the confidence', () => {
    const text = 'Text recognized in images, with a confidence of 94%.';
    expect(ocrNotice({ confidence: 94, pages: 3 })).toEqual({ text, isBad: false });
  });

  it('warns about pages with low confidence and unread pages', () => {
    const unreadPages = Array.from({ length: 12 }, (_, at) => at + 501);
    const notice = ocrNotice({ confidence: 60, pages: 3, lowConfidencePages: [2], unreadPages });
    expect(notice?.isBad).toBe(true);
    expect(notice?.text).toContain('Expect wrong words on page 2.');
    expect(notice?.text).toMatch(/The images on pages 501, .*510 and others were not read\.$/);
  });

  it('has no confidence if no page was recognized', () => {
    const text = 'The images on page 2 were not read.';
    expect(ocrNotice({ confidence: 0, pages: 0, unreadPages: [2] })).toEqual({ text, isBad: true });
  });

  it.each([undefined, null, 'good', {}, { confidence: 'high' }])('ignores other metadata: %j', (ocr) => {
    expect(ocrNotice(ocr)).toBeUndefined();
  });
});
