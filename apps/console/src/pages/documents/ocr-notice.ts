const isNumber = (value: unknown): value is number => typeof value === 'number';
const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.filter(isNumber) : []);
const pagesText = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'page' : 'pages'} ${numbers.slice(0, 10).join(', ')}${numbers.length > 10 ? ' and others' : ''}`;

/**
 * Returns a sentence about the text recognition of a document (`metadata.ocr`), and whether its text
 * is probably wrong or incomplete. Returns undefined for a document that was not recognized.
 */
export function ocrNotice(ocr: unknown): { readonly text: string; readonly isBad: boolean } | undefined {
  if (typeof ocr !== 'object' || ocr === null || !('confidence' in ocr) || !isNumber(ocr.confidence)) return undefined;
  const low = numbersOf('lowConfidencePages' in ocr ? ocr.lowConfidencePages : undefined);
  const unread = numbersOf('unreadPages' in ocr ? ocr.unreadPages : undefined);
  const hasPages = !('pages' in ocr) || ocr.pages !== 0;
  const parts = hasPages ? [`Text recognized in images, with a confidence of ${ocr.confidence}%.`] : [];
  if (low.length > 0) parts.push(`Expect wrong words on ${pagesText(low)}.`);
  if (unread.length > 0) parts.push(`The images on ${pagesText(unread)} were not read.`);
  return { text: parts.join(' '), isBad: low.length > 0 || unread.length > 0 };
}
