import type { ObjectShape } from '#salesforce/object-shape';
import { FILES } from '#salesforce/queries';
import { isoTime, textAt } from '#salesforce/record-value';
import type { SalesforceRecord } from '#salesforce/salesforce-api';
import type { SourceRef } from '#source';

export function titleOf(shape: ObjectShape, record: SalesforceRecord): string {
  const title = shape.title
    .map((field) => textAt(record, field))
    .filter((text) => text !== '')
    .join(' ');
  return title === '' ? `${shape.label} ${record.Id}` : title;
}

function common(shape: ObjectShape, record: SalesforceRecord) {
  const at = (path: string | undefined) => (path === undefined ? '' : textAt(record, path));
  return {
    author: at(shape.author) || undefined,
    updatedAt: isoTime(at(shape.modified)),
    version: isoTime(at(shape.stamp)),
  };
}

/** Converts a record to an item. */
export function refOfRecord(shape: ObjectShape, record: SalesforceRecord, instance: string): SourceRef {
  const title = titleOf(shape, record);
  return {
    ...common(shape, record),
    id: `${shape.name}/${record.Id}`,
    path: `${shape.label}/${title}`,
    title,
    url: `${instance}/${record.Id}`,
    mimeType: 'text/markdown',
  };
}

/** Converts the latest version of a file to an item. All versions are the same item. */
export function refOfFile(shape: ObjectShape, record: SalesforceRecord, instance: string): SourceRef {
  const documentId = textAt(record, 'ContentDocumentId');
  const title = titleOf(shape, record);
  const extension = textAt(record, 'FileExtension');
  const { version, ...shared } = common(shape, record);
  const size = Number(textAt(record, 'ContentSize') || Number.NaN);
  const suffix = extension === '' || title.toLowerCase().endsWith(`.${extension.toLowerCase()}`) ? '' : `.${extension}`;
  return {
    ...shared,
    id: documentId === '' ? `${FILES}/${record.Id}` : `ContentDocument/${documentId}`,
    path: `${title}${suffix}`,
    version: `${record.Id}@${version ?? ''}`,
    title,
    url: `${instance}/${documentId || record.Id}`,
    sizeBytes: Number.isNaN(size) ? undefined : size,
  };
}
