import type { DocumentMetadata, ParsedContent } from '#parsed-document';
import { oneLine } from '#text/clean-text';

const maxTitleChars = 500;
const maxValueChars = 2000;
const maxKeywords = 50;
/** Windows programs write this for a date that was never set. */
const fileTimeZero = Date.UTC(1601, 0, 1);

const tidy = (value: string | undefined, maxChars: number): string | undefined =>
  value === undefined ? undefined : oneLine(value).slice(0, maxChars).toWellFormed() || undefined;

const asIsoDate = (value: string | undefined): string | undefined => {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) || time === fileTimeZero ? undefined : new Date(time).toISOString();
};

const asLanguageTag = (value: string | undefined): string | undefined => {
  try {
    return value === undefined ? undefined : Intl.getCanonicalLocales(value.trim().replace('_', '-'))[0];
  } catch {
    return undefined; // not a language tag
  }
};

const tidyList = (values: readonly string[] | undefined): string[] | undefined => {
  const tidied = values?.map((value) => tidy(value, maxTitleChars)).filter((value) => value !== undefined);
  return tidied && tidied.length > 0 ? tidied.slice(0, maxKeywords) : undefined;
};

type Tidied = { -readonly [K in Exclude<keyof DocumentMetadata, 'mimeType'>]?: DocumentMetadata[K] };

/** Returns a file's title on one line and at most 500 characters long. */
export const tidyTitle = (title: string | undefined): { title?: string } => {
  const tidied = tidy(title, maxTitleChars);
  return tidied === undefined ? {} : { title: tidied };
};

/**
 * Returns a file's metadata, checked: dates as ISO 8601, languages as tags, texts on one line and
 * of limited length.
 */
export const tidyMetadata = (raw: NonNullable<ParsedContent['metadata']>): Tidied => {
  const tidied: Tidied = {};
  const author = tidy(raw.author, maxTitleChars);
  const language = asLanguageTag(raw.language);
  const createdAt = asIsoDate(raw.createdAt);
  const modifiedAt = asIsoDate(raw.modifiedAt);
  const description = tidy(raw.description, maxValueChars);
  const keywords = tidyList(raw.keywords);
  const attachments = tidyList(raw.attachments);
  if (author !== undefined) tidied.author = author;
  if (raw.pages !== undefined) tidied.pages = raw.pages;
  if (language !== undefined) tidied.language = language;
  if (createdAt !== undefined) tidied.createdAt = createdAt;
  if (modifiedAt !== undefined) tidied.modifiedAt = modifiedAt;
  if (description !== undefined) tidied.description = description;
  if (keywords !== undefined) tidied.keywords = keywords;
  if (raw.charset !== undefined) tidied.charset = raw.charset;
  if (attachments !== undefined) tidied.attachments = attachments;
  return tidied;
};
