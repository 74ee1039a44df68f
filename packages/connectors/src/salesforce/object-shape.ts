import type { Description, SalesforceField } from '#salesforce/salesforce-api';

/** A field that becomes part of a document. */
interface ShownField {
  /** The path in SOQL; with a dot for the name of a related record. */
  readonly path: string;
  readonly label: string;
  readonly isHtml: boolean;
}

/** The fields to read of an object's records. */
export interface ObjectShape {
  readonly name: string;
  readonly label: string;
  readonly title: readonly string[];
  /** The field with the time of the last change. */
  readonly stamp: string | undefined;
  readonly modified: string | undefined;
  readonly created: string | undefined;
  readonly author: string | undefined;
  readonly shown: readonly ShownField[];
  has(field: string): boolean;
  /** False if the description has fields that could not be read. */
  readonly isComplete: boolean;
}

/** Compound fields are repeated as their parts; binary fields have no text. */
const SKIPPED_TYPES: ReadonlySet<string> = new Set(['id', 'base64', 'address', 'location', 'complexvalue', 'anyType']);

/** Internal fields, and fields that change when a record is viewed. */
const SKIPPED: ReadonlySet<string> = new Set([
  'Id',
  'IsDeleted',
  'SystemModstamp',
  'LastModifiedDate',
  'CreatedDate',
  'LastActivityDate',
  'LastViewedDate',
  'LastReferencedDate',
  'LastModifiedById',
  'CreatedById',
  'MasterRecordId',
  'RecordTypeId',
  'PhotoUrl',
  'CleanStatus',
  'Jigsaw',
  'JigsawCompanyId',
  'JigsawContactId',
]);

/** Standard objects that have a `Name` field. All custom objects have one. */
const NAMED: ReadonlySet<string> = new Set([
  'Account',
  'BusinessHours',
  'Campaign',
  'Contact',
  'Group',
  'Lead',
  'Opportunity',
  'Pricebook2',
  'Product2',
  'Profile',
  'RecordType',
  'User',
  'UserRole',
]);

function relatedName(field: SalesforceField): ShownField[] {
  const { relationshipName, referenceTo } = field;
  const named = referenceTo.length > 0 && referenceTo.every((target) => NAMED.has(target) || target.endsWith('__c'));
  if (!relationshipName || !named) return [];
  return [{ path: `${relationshipName}.Name`, label: (field.label ?? field.name).replace(/ ID$/, ''), isHtml: false }];
}

function shownField(field: SalesforceField): ShownField[] {
  if (SKIPPED.has(field.name) || SKIPPED_TYPES.has(field.type)) return [];
  if (field.type === 'reference') return relatedName(field);
  return [{ path: field.name, label: field.label ?? field.name, isHtml: field.htmlFormatted }];
}

/** Derives the shape from an object's description. */
export function shapeOf({ name, label, fields: { items: fields, unreadable } }: Description): ObjectShape {
  const names = new Set(fields.map((field) => field.name));
  const has = (field: string) => names.has(field);
  const firstOf = (...candidates: readonly string[]) => candidates.find(has);
  const nameField = fields.find((field) => field.nameField) ?? fields.find((field) => field.name === 'Name');
  // A number alone is not a useful title, so the subject is added (for example of a Case).
  const numbered = nameField?.autoNumber === true || nameField?.name === 'CaseNumber';
  const subject = numbered ? firstOf('Subject', 'Title') : undefined;
  return {
    name,
    label: label ?? name,
    title: [nameField?.name, subject].filter((field) => field !== undefined),
    stamp: firstOf('SystemModstamp', 'LastModifiedDate', 'CreatedDate'),
    modified: firstOf('LastModifiedDate', 'SystemModstamp', 'CreatedDate'),
    created: firstOf('CreatedDate'),
    author: has('OwnerId') ? 'Owner.Name' : has('LastModifiedById') ? 'LastModifiedBy.Name' : undefined,
    shown: fields.flatMap(shownField),
    has,
    isComplete: unreadable.length === 0,
  };
}
