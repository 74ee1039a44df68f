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

/** The annotation types that contain a reader's note; links and form widgets do not. */
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

/** Returns the notes and form values on a page; none if its annotations are malformed. */
export const pageExtras = async (page: { getAnnotations(): Promise<unknown[]> }): Promise<string[]> => {
  try {
    return (await page.getAnnotations()).flatMap(extraText);
  } catch {
    return [];
  }
};
