import type { Settings } from '#browser/settings';
import type { Language } from '#browser/texts/language';

/** What a search box or a question box needs from its element. */
export interface Host {
  /** The language of the texts. It never changes. */
  readonly language: Language;
  /** The current settings. The page can replace the key at any time. */
  settings(): Settings;
  /** Adds rules to the style of the element. */
  addStyle(sheet: CSSStyleSheet): void;
  /** Reports that the server rejected the key, so that the page can set a new one. */
  expired(): void;
}

/** The content of the element in one mode. */
export interface Box {
  readonly root: HTMLElement;
  /** Moves the focus to the text field. */
  focus(): void;
  /** Is called when the page has replaced the key. */
  keyChanged(): void;
  /** Aborts what is running. */
  stop(): void;
}
