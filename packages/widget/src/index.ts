import { defineElement } from '#browser/search-element';

/** Defines the element `<lectern-search>`. `baseUrl` is the default URL of the Lectern server. */
export function defineLecternSearch(baseUrl: string): void {
  defineElement(baseUrl, async () => (await import('#browser/ask/ask-box')).createAskBox);
}

/** The detail of the `lectern-select` event. Cancel the event to handle the selection yourself. */
export interface LecternSelectDetail {
  readonly documentId: string;
  readonly title: string;
  readonly url: string | null;
}
