import { z } from 'zod';

const annotation = z.object({
  subtype: z.string().optional(),
  contentsObj: z.object({ str: z.string() }).optional().catch(undefined),
  titleObj: z.object({ str: z.string() }).optional().catch(undefined),
  alternativeText: z.string().optional().catch(undefined),
  fieldValue: z
    .union([z.string(), z.array(z.string()).transform((values) => values.join(', '))])
    .optional()
    .catch(undefined),
  fieldType: z.string().optional().catch(undefined),
});

/** Kinds of notes that a reader wrote on a page; links and form widgets carry no note. */
const noteKinds = new Set(['Text', 'FreeText', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret', 'Stamp']);

const extraText = (raw: unknown): string[] => {
  const parsed = annotation.safeParse(raw);
  if (!parsed.success) return [];
  const { subtype = '', contentsObj, titleObj, alternativeText, fieldValue, fieldType } = parsed.data;
  const note = contentsObj?.str.trim() ?? '';
  if (noteKinds.has(subtype) && note !== '')
    return [titleObj?.str ? `Note by ${titleObj.str}: ${note}` : `Note: ${note}`];
  const value = fieldType === 'Tx' || fieldType === 'Ch' ? (fieldValue?.trim() ?? '') : '';
  return value === '' ? [] : [alternativeText ? `${alternativeText}: ${value}` : value];
};

/** What is written on a page besides its text: notes and the values of form fields. A page with broken annotations has none. */
export const pageExtras = async (page: { getAnnotations(): Promise<unknown[]> }): Promise<string[]> => {
  try {
    return (await page.getAnnotations()).flatMap(extraText);
  } catch {
    return [];
  }
};
