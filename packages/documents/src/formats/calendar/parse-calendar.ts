import ICAL from 'ical.js';
import { rewriteVcard21 } from '#formats/calendar/vcard-21';
import { parseText } from '#formats/plain/parse-text';
import type { FormatParser } from '#parsed-document';
import { decodeText } from '#text/decode-text';
import { DocumentWriter } from '#text/document-writer';

// iCalendar (RFC 5545) and vCard (RFC 6350).

/** The properties that are shown, with their labels; the others are technical. */
const LABELS: readonly (readonly [property: string, label: string])[] = [
  ['dtstart', 'Start'],
  ['dtend', 'End'],
  ['due', 'Due'],
  ['rrule', 'Repeats'],
  ['location', 'Location'],
  ['organizer', 'Organizer'],
  ['attendee', 'Attendees'],
  ['status', 'Status'],
  ['categories', 'Categories'],
  ['title', 'Title'],
  ['role', 'Role'],
  ['org', 'Organization'],
  ['email', 'Email'],
  ['tel', 'Phone'],
  ['adr', 'Address'],
  ['bday', 'Birthday'],
  ['url', 'URL'],
];

const ENTRIES = new Set(['vevent', 'vtodo', 'vjournal', 'vcard']);

/** The text of a value; addresses and names of organizations are lists, possibly nested. */
const valueText = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .map(valueText)
        .filter((part) => part !== '')
        .join(', ')
    : String(value ?? '')
        .replace(/^(?:mailto|tel):/i, '')
        .trim();

function propertyText(property: ICAL.Property): string {
  const text = valueText(property.getValues());
  const name = property.getFirstParameter('cn');
  const zone = property.getFirstParameter('tzid');
  if (name && name !== text) return `${name} <${text}>`;
  return zone ? `${text} (${zone})` : text;
}

/** The values as they are written, for a property that is malformed. */
const rawText = (property: ICAL.Property): string => valueText((property.jCal as unknown[]).slice(3));

function safeText(property: ICAL.Property): string {
  try {
    return propertyText(property);
  } catch {
    return rawText(property);
  }
}

const textsOf = (component: ICAL.Component, name: string): string[] =>
  component
    .getAllProperties(name)
    .map(safeText)
    .filter((text) => text !== '');

/** The parts of a name are: family, given, additional, prefixes, suffixes. */
function structuredName(component: ICAL.Component): string {
  const parts = (component.getFirstPropertyValue('n') as unknown) ?? [];
  if (!Array.isArray(parts)) return valueText(parts);
  return [3, 1, 2, 0, 4]
    .map((at) => valueText(parts[at]))
    .filter((part) => part !== '')
    .join(' ');
}

function titleOf(component: ICAL.Component): string | undefined {
  if (component.name !== 'vcard') return textsOf(component, 'summary')[0];
  const names = [textsOf(component, 'fn')[0], structuredName(component)];
  return [...names, textsOf(component, 'org')[0], textsOf(component, 'email')[0]].find(Boolean);
}

/** Writes an event, a task or a contact as a section. */
function writeEntry(component: ICAL.Component, writer: DocumentWriter): void {
  writer.heading(2, titleOf(component) ?? '');
  for (const [name, label] of LABELS) {
    const texts = textsOf(component, name);
    if (texts.length > 0) writer.listItem(`${label}: ${texts.join(', ')}`, 0);
  }
  writer.endList();
  for (const name of ['description', 'note', 'comment']) {
    for (const text of textsOf(component, name)) writer.paragraph(text);
  }
}

/** Reads the outermost components. Undefined if the file is damaged. */
function readComponents(text: string): ICAL.Component[] | undefined {
  try {
    const parsed: unknown[] = ICAL.parse(rewriteVcard21(text));
    const all = typeof parsed[0] === 'string' ? [parsed] : parsed;
    return all.map((data) => new ICAL.Component(data as never));
  } catch {
    return undefined;
  }
}

/** Parses a calendar or contacts: a section for each event, task or contact. Damaged ones are read as text. */
export const parseCalendar: FormatParser = async (source) => {
  const { text, charset } = decodeText(source.bytes);
  const components = readComponents(text);
  const entries = components
    ?.flatMap((component) => [component, ...component.getAllSubcomponents()])
    .filter(({ name }) => ENTRIES.has(name));
  if (entries === undefined || entries.length === 0) return parseText(source);
  const writer = new DocumentWriter(source.limits.maxTextChars);
  for (const entry of entries) writeEntry(entry, writer);
  const calendarName = components?.flatMap((component) => textsOf(component, 'x-wr-calname'))[0];
  const [only] = entries;
  const title = calendarName ?? (entries.length === 1 && only !== undefined ? titleOf(only) : undefined);
  return { ...writer.finish(), title, metadata: { charset } };
};
