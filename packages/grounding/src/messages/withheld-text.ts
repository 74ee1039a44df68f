import { detectLanguage } from '@lectern/text';
import { phrasesIn } from '#messages/reply-phrases';

/**
 * Returns the text that replaces a reply that is based on documents its reader can no longer access,
 * in the language of a text.
 */
export const withheldText = (text: string): string => phrasesIn(detectLanguage(text)).withheld;
