import type { DocumentMetadata, ParsedContent } from '#parsed-document';
import { oneLine } from '#text/clean-text';

const longestTitle = 500;
const longestValue = 2000;
const mostKeywords = 50;
/** What Windows programs write for a date that was never set. */
const fileTimeZero = Date.UTC(1601, 0, 1);

const tidy = (value: string | undefined, longest: number): string | undefined =>
  value === undefined ? undefined : oneLine(value).slice(0, longest).toWellFormed() || undefined;

const asIsoDate = (value: string | undefined): string | undefined => {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) || time === fileTimeZero ? undefined : new Date(time).toISOString();
};

const asLanguageTag = (value: string | undefined): string | undefined => {
  try {
    return value === undefined ? undefined : Intl.getCanonicalLocales(value.trim().replace('_', '-'))[0];
  } catch {
    return undefined; // not a tag, so it says nothing
  }
};

const tidyList = (values: readonly string[] | undefined): string[] | undefined => {
  const kept = values?.map((value) => tidy(value, longestTitle)).filter((value) => value !== undefined);
  return kept && kept.length > 0 ? kept.slice(0, mostKeywords) : undefined;
};

type Tidied = { -readonly [K in Exclude<keyof DocumentMetadata, 'mimeType'>]?: DocumentMetadata[K] };

/** A file's own title, fit to be shown: one line, of bounded length. */
export const tidyTitle = (title: string | undefined): { title?: string } => {
  const tidied = tidy(title, longestTitle);
  return tidied === undefined ? {} : { title: tidied };
};

/** What a file says about itself, checked: dates as ISO 8601, languages as tags, texts on one line and of bounded length. */
export const tidyMetadata = (raw: NonNullable<ParsedContent['metadata']>): Tidied => {
  const tidied: Tidied = {};
  const author = tidy(raw.author, longestTitle);
  const language = asLanguageTag(raw.language);
  const createdAt = asIsoDate(raw.createdAt);
  const modifiedAt = asIsoDate(raw.modifiedAt);
  const description = tidy(raw.description, longestValue);
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
