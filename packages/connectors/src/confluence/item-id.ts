/** A parsed item id: `SPACE/pageId`, or `SPACE/pageId/attachmentId` for an attachment. */
export interface ItemId {
  readonly spaceKey: string;
  readonly pageId: string;
  readonly attachmentId: string | undefined;
}

// Space keys are letters, digits, `~` (personal spaces), and on newer sites `_`, `-` and `.`; ids
// are digits, those of attachments with `att`.
const FORM = /^([^/\s]+)\/(\d+)(?:\/([A-Za-z0-9-]+))?$/;

/** Returns undefined for a malformed id. */
export function parseItemId(id: string): ItemId | undefined {
  const [, spaceKey, pageId, attachmentId] = FORM.exec(id) ?? [];
  return spaceKey === undefined || pageId === undefined ? undefined : { spaceKey, pageId, attachmentId };
}

export const pageItemId = (spaceKey: string, pageId: string): string => `${spaceKey}/${pageId}`;

export const attachmentItemId = (spaceKey: string, pageId: string, attachmentId: string): string =>
  `${spaceKey}/${pageId}/${attachmentId}`;
