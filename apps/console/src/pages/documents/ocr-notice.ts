import { t } from '#texts/texts.ts';

const isNumber = (value: unknown): value is number => typeof value === 'number';
const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.filter(isNumber) : []);
function pagesText(numbers: readonly number[]): string {
  const pages = numbers.slice(0, 10).join(', ');
  return numbers.length > 10 ? t('documents.ocr.andOthers', { pages }) : pages;
}

/**
 * Returns a sentence about the text recognition of a document (`metadata.ocr`), and whether its text
 * is probably wrong or incomplete. Returns undefined for a document that was not recognized.
 */
export function ocrNotice(ocr: unknown): { readonly text: string; readonly isBad: boolean } | undefined {
  if (typeof ocr !== 'object' || ocr === null || !('confidence' in ocr) || !isNumber(ocr.confidence)) return undefined;
  const low = numbersOf('lowConfidencePages' in ocr ? ocr.lowConfidencePages : undefined);
  const unread = numbersOf('unreadPages' in ocr ? ocr.unreadPages : undefined);
  const hasPages = !('pages' in ocr) || ocr.pages !== 0;
  const parts: string[] = hasPages ? [t('documents.ocr.confidence', { confidence: ocr.confidence })] : [];
  if (low.length > 0) parts.push(t('documents.ocr.low', { count: low.length, pages: pagesText(low) }));
  if (unread.length > 0) parts.push(t('documents.ocr.unread', { count: unread.length, pages: pagesText(unread) }));
  return { text: parts.join(' '), isBad: low.length > 0 || unread.length > 0 };
}
