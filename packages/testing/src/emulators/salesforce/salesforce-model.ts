import type { SoqlRecord } from '#emulators/salesforce/soql';

export interface SalesforceField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly nameField: boolean;
  readonly autoNumber: boolean;
  readonly relationshipName: string | null;
  readonly referenceTo: readonly string[];
}

const field = (name: string, type: string, more: Partial<SalesforceField> = {}): SalesforceField => ({
  name,
  label: name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/__c$/, '')
    .replace(/ Id$/, ' ID'),
  type,
  nameField: false,
  autoNumber: false,
  relationshipName: null,
  referenceTo: [],
  ...more,
});

const reference = (name: string, to: string) =>
  field(name, 'reference', { relationshipName: name.replace(/Id$/, ''), referenceTo: [to] });

const SYSTEM = [
  field('Id', 'id'),
  field('IsDeleted', 'boolean'),
  field('CreatedDate', 'datetime'),
  field('LastModifiedDate', 'datetime'),
  field('SystemModstamp', 'datetime'),
  reference('OwnerId', 'User'),
  reference('LastModifiedById', 'User'),
];

/** The objects and their fields, for `describe`. */
export const salesforceObjects: Readonly<Record<string, readonly SalesforceField[]>> = {
  Account: [
    ...SYSTEM,
    field('Name', 'string', { nameField: true }),
    field('Industry', 'picklist'),
    field('Description', 'textarea'),
    field('AnnualRevenue', 'currency'),
    field('BillingAddress', 'address'),
    field('BillingCity', 'string'),
    field('LastViewedDate', 'datetime'),
  ],
  Contact: [
    ...SYSTEM,
    field('Name', 'string', { nameField: true }),
    field('Email', 'email'),
    field('Description', 'textarea'),
    reference('AccountId', 'Account'),
  ],
  Case: [
    ...SYSTEM,
    field('CaseNumber', 'string', { nameField: true, autoNumber: true }),
    field('Subject', 'string'),
    field('Description', 'textarea'),
    reference('ParentId', 'Case'),
  ],
  ContentVersion: [
    ...SYSTEM,
    field('Title', 'string', { nameField: true }),
    reference('ContentDocumentId', 'ContentDocument'),
    field('IsLatest', 'boolean'),
    field('FileExtension', 'string'),
    field('FileType', 'string'),
    field('ContentSize', 'int'),
    field('VersionData', 'base64'),
  ],
};

export interface SalesforceModel {
  readonly records: ReadonlyMap<string, SoqlRecord & { readonly attributes: { readonly type: string } }>;
  /** Adds or replaces a record. Returns its id. */
  put(object: string, fields: SoqlRecord & { readonly Id?: string }): string;
  /** Adds a version of a file: the previous one is no longer the latest. */
  putFile(file: { title: string; extension: string; content: string; documentId?: string }): {
    readonly versionId: string;
    readonly documentId: string;
  };
  remove(id: string): void;
  fileOf(versionId: string): string | undefined;
}

const PREFIXES: Readonly<Record<string, string>> = {
  Account: '001',
  Contact: '003',
  Case: '500',
  ContentVersion: '068',
};

export function createSalesforceModel(): SalesforceModel {
  const records = new Map<string, SoqlRecord & { readonly attributes: { readonly type: string } }>();
  const files = new Map<string, string>();
  let clock = Date.parse('2026-03-01T08:00:00Z');
  let number = 0;
  const newId = (prefix: string) => {
    number += 1;
    return `${prefix}Q0000${`${number}`.padStart(7, '0')}AAA`;
  };

  const put: SalesforceModel['put'] = (object, fields) => {
    const id = fields.Id ?? newId(PREFIXES[object] ?? 'a00');
    clock += 1_000;
    const now = new Date(clock).toISOString().replace('Z', '+0000');
    const known = records.get(id);
    records.set(id, {
      CreatedDate: now,
      Owner: { attributes: { type: 'User' }, Name: 'Ada Lovelace' },
      OwnerId: '005Q00000000001AAA',
      ...known,
      ...fields,
      Id: id,
      IsDeleted: false,
      LastModifiedDate: now,
      SystemModstamp: now,
      attributes: { type: object },
    });
    return id;
  };

  return {
    records,
    put,
    putFile: ({ title, extension, content, documentId = newId('069') }) => {
      for (const record of records.values()) {
        if (record.ContentDocumentId === documentId && record.IsLatest === true) {
          put('ContentVersion', { ...record, Id: String(record.Id), IsLatest: false });
        }
      }
      const versionId = put('ContentVersion', {
        Title: title,
        FileExtension: extension,
        FileType: extension.toUpperCase(),
        ContentSize: Buffer.byteLength(content),
        ContentDocumentId: documentId,
        IsLatest: true,
      });
      files.set(versionId, content);
      return { versionId, documentId };
    },
    remove: (id) => void records.delete(id),
    fileOf: (versionId) => files.get(versionId),
  };
}
