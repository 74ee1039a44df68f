import * as german from '#browser/texts/de';
import * as english from '#browser/texts/en';
import type { Language } from '#browser/texts/language';

export type WidgetTexts = typeof english.widget;
export type AskTexts = typeof english.ask;

/** Returns the texts of `widget.js`. Two functions, so that each script contains only its own texts. */
export const widgetTexts = (language: Language): WidgetTexts => (language === 'de' ? german.widget : english.widget);

/** Returns the texts of `widget-ask.js`. English if an older `widget.js` gives no language. */
export const askTexts = (language: Language | undefined): AskTexts => (language === 'de' ? german.ask : english.ask);
