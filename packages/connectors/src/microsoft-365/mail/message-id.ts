/** The place of a message: `mail/<user>/<message>`, and of its attachment: `…/<attachment>`. */
export interface MessagePlace {
  readonly user: string;
  readonly message: string;
}

export interface AttachmentPlace extends MessagePlace {
  readonly attachment: string;
}

/** Ids without a slash or white space, which the ids of Outlook never contain. */
export const PART_ID = /^[^\s/]{1,1000}$/;
const FORM = /^mail\/([^\s/]+)\/([^\s/]+)(?:\/([^\s/]+))?$/;

export const messageItemId = ({ user, message }: MessagePlace): string => `mail/${user}/${message}`;
export const attachmentItemId = (place: AttachmentPlace): string => `${messageItemId(place)}/${place.attachment}`;

/** Parses the id of an item; undefined if it is neither a message nor an attachment. */
export function parseMailId(id: string): (MessagePlace & { readonly attachment: string | undefined }) | undefined {
  const [, user, message, attachment] = FORM.exec(id) ?? [];
  return user === undefined || message === undefined ? undefined : { user, message, attachment };
}
