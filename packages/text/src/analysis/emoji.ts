/**
 * Characters that can follow a pictograph: variation selector, skin tone, or the tags of a flag,
 * for example Scotland's.
 */
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?\uFE0F?[\u{E0020}-\u{E007F}]*`;

/**
 * One emoji: a keycap, a flag, or pictographs with skin tones, joined by zero-width joiners (👩🏽‍💻,
 * 🏳️‍🌈). Follows Unicode's emoji grammar (UTS #51) instead of a list, so that new emoji work too.
 */
export const EMOJI = String.raw`[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}{1,2}|${PICTOGRAPH}(?:\u200D${PICTOGRAPH})*|\p{Emoji_Modifier}`;

const WHOLE_EMOJI = new RegExp(`^(?:${EMOJI})$`, 'u');
/** Below this code point, only keycaps start an emoji. */
const FIRST_PICTOGRAPH = 0xa9;
const KEYCAP = '\u20E3';
const VARIATION_SELECTORS = /[\uFE0E\uFE0F]/g;
const SKIN_TONES = /\p{Emoji_Modifier}/gu;

/** Reports whether a token is an emoji. */
export function isEmoji(token: string): boolean {
  const couldBeEmoji = token.charCodeAt(0) >= FIRST_PICTOGRAPH || token.endsWith(KEYCAP);
  return couldBeEmoji && WHOLE_EMOJI.test(token);
}

/** Removes variation selectors, which only choose color or text style: ❤ and ❤️ are the same. */
export function normalizeEmoji(emoji: string): string {
  return emoji.replace(VARIATION_SELECTORS, '');
}

/** Removes skin tones; a skin tone by itself is unchanged. */
export function withoutSkinTone(emoji: string): string {
  return emoji.replace(SKIN_TONES, '') || emoji;
}
