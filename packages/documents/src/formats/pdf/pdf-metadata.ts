import { z } from 'zod';
import type { ParsedContent } from '#parsed-document';
import { meaningfulTitle } from '#text/meaningful-title';

const text = z.string().optional().catch(undefined);
const info = z.object({
  Title: text,
  Author: text,
  Subject: text,
  Keywords: text,
  Language: text,
  CreationDate: text,
  ModDate: text,
});

/** `D:YYYYMMDDHHmmSSOHH'mm'`; everything after the year is optional (PDF 1.7 §7.9.4). */
const pdfDate = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?|Z)?/;

const asIso = (date: string | undefined): string | undefined => {
  const match = date === undefined ? null : pdfDate.exec(date);
  if (!match) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    zoneHour,
    zoneMinute = '00',
  ] = match;
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
};

/** Returns the metadata in a PDF's information dictionary. */
export const pdfMetadata = async (pdf: {
  getMetadata(): Promise<{ info: unknown }>;
}): Promise<Pick<ParsedContent, 'title' | 'metadata'>> => {
  const read = await pdf.getMetadata().catch(() => undefined);
  const parsed = info.safeParse(read?.info);
  if (!parsed.success) return {};
  const { Title, Author, Subject, Keywords, Language, CreationDate, ModDate } = parsed.data;
  return {
    title: meaningfulTitle(Title),
    metadata: {
      author: Author,
      description: Subject,
      keywords: Keywords?.split(/[,;]/).map((word) => word.trim()),
      language: Language,
      createdAt: asIso(CreationDate),
      modifiedAt: asIso(ModDate),
    },
  };
};
