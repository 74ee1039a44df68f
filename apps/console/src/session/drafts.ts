const PREFIX = 'lectern.draft.';

/** The texts that a person has typed and not sent, by place. In session storage, which ends with the tab. */
export interface Drafts {
  read(place: string): string;
  /** An empty text removes the draft. */
  write(place: string, text: string): void;
}

/** Returns the drafts of a person. Others who sign in to the same tab do not see them. */
export function draftsOf(personId: string): Drafts {
  const keyOf = (place: string) => `${PREFIX}${personId}.${place}`;
  return {
    read: (place) => sessionStorage.getItem(keyOf(place)) ?? '',
    write: (place, text) => {
      if (text === '') sessionStorage.removeItem(keyOf(place));
      else sessionStorage.setItem(keyOf(place), text);
    },
  };
}

/** Removes the drafts of everybody in this tab. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
