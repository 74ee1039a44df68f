/** A parsed item id: `SPACE/pageId`, or `SPACE/pageId/attachmentId` for an attachment. */
export interface ItemId {
  readonly spaceKey: string;
  readonly pageId: string;
  readonly attachmentId: string | undefined;
}

// Space keys contain letters, digits, `~` (personal spaces), and on newer sites `_`, `-` and `.`.
// Ids are digits; ids of attachments start with `att`.
const FORM = /^([^/\s]+)\/(\d+)(?:\/([A-Za-z0-9-]+))?$/;

/** Parses an item id. Returns undefined if it is malformed. */
export function parseItemId(id: string): ItemId | undefined {
  const [, spaceKey, pageId, attachmentId] = FORM.exec(id) ?? [];
  return spaceKey === undefined || pageId === undefined ? undefined : { spaceKey, pageId, attachmentId };
}

export const pageItemId = (spaceKey: string, pageId: string): string => `${spaceKey}/${pageId}`;

export const attachmentItemId = (spaceKey: string, pageId: string, attachmentId: string): string =>
  `${spaceKey}/${pageId}/${attachmentId}`;
